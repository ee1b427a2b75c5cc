import type { Client } from '@florin/client';
import { signIn } from '@florin/client/viem';
import { newEmail, newPhone, newWallet, type Wallet } from './story.ts';

const DOMAIN = 'localhost:3000';

/** Registers the wallet that a client is signed in with. */
export const registerClient = async (client: Client, email: string = newEmail()): Promise<{ userId: string }> => {
  await client.auth.sendEmailCode({ email });
  const { data } = await client.sandbox.listOutbox({ to: email });
  return client.user.registerUser({ email, otp: data[0]?.code ?? '' });
};

/** Signs a wallet in through a client, and registers it. */
export const signUp = async (client: Client, wallet: Wallet = newWallet()): Promise<{ wallet: Wallet; userId: string }> => {
  await signIn(client, wallet, { domain: DOMAIN, uri: `http://${DOMAIN}/login` });
  const { userId } = await registerClient(client);
  return { wallet, userId };
};

/** A card of the client's user, with money to pay with. */
export const cardWithMoney = async (client: Client): Promise<string> => {
  const { cardId } = await client.cards.createVirtualCard({ cardName: 'Everyday', phone: newPhone() });
  await client.sandbox.createDeposit({ token: 'EURe', amount: '100000000000000000000' });
  return cardId;
};
