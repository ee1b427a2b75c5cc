import type { Tokens, Wallet } from '../support/story.ts';
import type { JsonClient } from './json-client.ts';

const DOMAIN = 'localhost:3000';
const QUERY = new URLSearchParams({ domain: DOMAIN, uri: `http://${DOMAIN}/login` });

/** Performs one sign-in: message, signature, tokens. */
export const signInOnce = async (client: JsonClient, wallet: Wallet): Promise<Tokens> => {
  const { message } = await client.get<{ message: string }>(`/auth/siwe/${wallet.address}?${QUERY}`);
  return client.post<Tokens>('/auth/siwe', undefined, { message, signature: await wallet.signMessage({ message }) });
};
