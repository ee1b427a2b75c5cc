import { randomUUID } from 'node:crypto';
import type { Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { ApiClient } from './api-client.ts';

/** Steps of a user, over the public interface only. Shared by the demo, tests, benchmarks and fault runs. */

const DOMAIN = 'localhost:3000';

export type Wallet = PrivateKeyAccount;

export const newWallet = (): Wallet => privateKeyToAccount(generatePrivateKey());

export type Tokens = { accessToken: string; refreshToken: string; expiresIn: number; userId?: string };

export type TypedData = {
  domain: { name: string; version: string; chainId: number };
  primaryType: 'Message';
  types: { Message: { name: string; type: string }[] };
  message: { authorization: string; nonce: string };
};

export type Challenge = {
  id: string;
  cardId: string;
  accountId: string;
  amount?: string;
  currency?: string;
  decimals?: number;
  merchant: { displayName?: string };
  status: string;
  decision?: string;
  expiresAt: string;
  decisionAvailable: boolean;
};

export type ChallengeDetail = { serverTime: string; challenge: Challenge };

type Purpose = 'sign_in' | 'add_wallet';

export const siweMessage = async (api: ApiClient, address: string, domain = DOMAIN, purpose: Purpose = 'sign_in'): Promise<string> => {
  const query = new URLSearchParams({ domain, uri: `http://${domain}/login`, purpose });
  return (await api.call<{ message: string }>('GET', `/auth/siwe/${address}?${query}`)).message;
};

/** Signs in with an EIP-4361 message. @param domain web domain of the app, which selects the partner */
export const signIn = async (api: ApiClient, wallet: Wallet, domain = DOMAIN): Promise<Tokens> => {
  const message = await siweMessage(api, wallet.address, domain);
  const signature = await wallet.signMessage({ message });
  return api.call<Tokens>('POST', '/auth/siwe', { body: { message, signature } });
};

/** What the owner of `by` sends to add a wallet: the new wallet's proof, and the approval of an existing one. */
export const walletToAdd = async (api: ApiClient, token: string, wallet: Wallet, by: Wallet, domain = DOMAIN) => {
  const message = await siweMessage(api, wallet.address, domain, 'add_wallet');
  return {
    message,
    signature: await wallet.signMessage({ message }),
    approval: await approveWallet(api, token, wallet.address, by),
  };
};

/** The approval of a wallet by an existing one. */
export const approveWallet = async (api: ApiClient, token: string, wallet: string, by: Wallet, change = 'add'): Promise<Hex> =>
  signTypedData(by, await api.call<TypedData>('POST', '/user/wallets/challenge', { token, body: { wallet, change } }));

/** Returns the newest code that the sandbox has sent to an e-mail address or phone number. */
export const readCode = async (api: ApiClient, to: string): Promise<string> => {
  const { data } = await api.call<{ data: { code?: string }[] }>('GET', `/sandbox/outbox?to=${encodeURIComponent(to)}`);
  const code = data.find((message) => message.code !== undefined)?.code;
  if (code === undefined) throw new Error('the outbox contains no code');
  return code;
};

/** Returns a code that differs from `code`. */
export const wrongCode = (code: string): string => (code === '000000' ? '000001' : '000000');

export const requestEmailCode = async (api: ApiClient, token: string, email: string): Promise<string> => {
  await api.call('POST', '/email-verification', { token, body: { email } });
  return readCode(api, email);
};

export type Person = { wallet: Wallet; email: string; userId: string; token: string; refreshToken: string };

export const newEmail = (): string => `person-${randomUUID()}@example.org`;

/** Registers a signed-in wallet as a user. */
export const registerWithToken = async (api: ApiClient, accessToken: string, email: string = newEmail()) => {
  const otp = await requestEmailCode(api, accessToken, email);
  const registered = await api.call<{ userId: string; accessToken: string }>('POST', '/user', { token: accessToken, body: { email, otp } });
  return { email, userId: registered.userId, token: registered.accessToken };
};

/** Signs in with a wallet, by default a new one, and registers it. */
export const registerPerson = async (
  api: ApiClient,
  wallet: Wallet = newWallet(),
  { email = newEmail(), domain = DOMAIN }: { email?: string; domain?: string } = {},
): Promise<Person> => {
  const { accessToken, refreshToken } = await signIn(api, wallet, domain);
  return { wallet, refreshToken, ...(await registerWithToken(api, accessToken, email)) };
};

/** Returns a random number from an assigned range, which the strict validation accepts. */
export const newPhone = (): string => `+49151${String(Math.floor(10_000_000 + Math.random() * 89_999_999))}`;

export const createCard = async (
  api: ApiClient,
  token: string,
  body: object = { cardName: 'Everyday', phone: newPhone() },
): Promise<string> => (await api.call<{ cardId: string }>('POST', '/cards/virtual', { token, body })).cardId;

export const PAYMENT = {
  amount: '4999',
  currency: 'EUR' as const,
  merchant: { displayName: 'Bookshop', country: 'DE', categoryCode: '5942' },
};

export const raiseChallenge = async (api: ApiClient, token: string, cardId: string, more: object = {}): Promise<string> =>
  (await api.call<{ challengeId: string }>('POST', '/sandbox/3ds/challenges', { token, body: { cardId, ...PAYMENT, ...more } }))
    .challengeId;

export const issueTypedData = (api: ApiClient, token: string, challengeId: string, decision: string): Promise<TypedData> =>
  api.call<TypedData>('POST', `/3ds/challenges/${challengeId}/decision-challenge`, { token, body: { decision } });

/** Signs the typed data as sent by the service; only `nonce` is converted to a bigint, as documented. */
export const signTypedData = (wallet: Wallet, { domain, primaryType, types, message }: TypedData): Promise<Hex> =>
  wallet.signTypedData({ domain, primaryType, types, message: { ...message, nonce: BigInt(message.nonce) } });

export const submitDecision = (api: ApiClient, token: string, challengeId: string, decision: string, signature: string) =>
  api.call<ChallengeDetail>('POST', `/3ds/challenges/${challengeId}/decision`, { token, body: { decision, signature } });

/** Requests the typed data, signs it and submits the decision. */
export const decide = async (api: ApiClient, person: Person, challengeId: string, decision: 'approve' | 'decline') => {
  const typedData = await issueTypedData(api, person.token, challengeId, decision);
  return submitDecision(api, person.token, challengeId, decision, await signTypedData(person.wallet, typedData));
};

export type TermsAnswer = { terms: { type: string; currentVersion: string; accepted?: boolean }[] };

export const acceptAllTerms = async (api: ApiClient, token: string): Promise<void> => {
  const { terms } = await api.call<TermsAnswer>('GET', '/terms');
  const body = { terms: terms.map(({ type, currentVersion }) => ({ type, version: currentVersion })) };
  await api.call('POST', '/user/terms', { token, body });
};

/** Submits the first allowed answer to every question. */
export const explainFunds = async (api: ApiClient, token: string): Promise<void> => {
  type Questions = { questions: { question: string; answers: string[] }[] };
  const { questions } = await api.call<Questions>('GET', '/source-of-funds', { token });
  const answers = questions.map(({ question, answers: [answer] }) => ({ question, answer }));
  await api.call('POST', '/source-of-funds', { token, body: { answers } });
};
