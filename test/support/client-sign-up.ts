import type { Client } from '@florin/client';
import { newEmail, newPhone, newWallet, type Wallet } from './story.ts';

const DOMAIN = 'localhost:3000';

/** Signs a wallet in through a client, and registers it. */
export const signUp = async (client: Client, wallet: Wallet = newWallet()): Promise<{ wallet: Wallet; userId: string }> => {
  const { message } = await client.auth.createSiweMessage({ address: wallet.address, domain: DOMAIN, uri: `http://${DOMAIN}/login` });
  await client.auth.signIn({ message, signature: await wallet.signMessage({ message }) });
  const email = newEmail();
  await client.auth.sendEmailCode({ email });
  const { data } = await client.sandbox.listOutbox({ to: email });
  const { userId } = await client.user.registerUser({ email, otp: data[0]?.code ?? '' });
  return { wallet, userId };
};

/** A card of the client's user, with money to pay with. */
export const cardWithMoney = async (client: Client): Promise<string> => {
  const { cardId } = await client.cards.createVirtualCard({ cardName: 'Everyday', phone: newPhone() });
  await client.sandbox.createDeposit({ token: 'EURe', amount: '100000000000000000000' });
  return cardId;
};
