import { createClient, isFlorinError } from '@florin/client';
import { decide, reveal, signIn } from '@florin/client/viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const APP = { domain: 'localhost:3000', uri: 'http://localhost:3000/login' };

/** The result of `play`, wherever it runs. */
export const EXPECTED = ['PHONE_REQUIRED', 'challenge', 'approved', 'the card that was issued', '1 payment', 'signed-out'];

/** Plays a story through `@florin/client`, with nothing but what every JavaScript runtime has. @param url address of the gateway */
export const play = async (url: string): Promise<string[]> => {
  const client = createClient({ url });
  const seen: string[] = [];
  const wallet = privateKeyToAccount(generatePrivateKey());
  await signIn(client, wallet, APP);
  const email = `${wallet.address.toLowerCase()}@example.org`;
  await client.auth.sendEmailCode({ email });
  const { data } = await client.sandbox.listOutbox({ to: email });
  await client.user.registerUser({ email, otp: data[0]?.code ?? '' });
  const early = await client.cards.createVirtualCard({ cardName: 'Everyday' }).result();
  seen.push(early.ok ? 'issued' : early.error.code);
  const { cardId } = await client.cards.createVirtualCard({ cardName: 'Everyday', phone: '+4915112345678' });
  await client.sandbox.createDeposit({ token: 'EURe', amount: '100000000000000000000' });
  await client.sandbox.createChallenge({ cardId, amount: '4999', currency: 'EUR', merchant: { displayName: 'Bookshop' } });
  for await (const { event, data: found } of client.threeDs.watchChallenges()) {
    seen.push(event);
    if (event !== 'challenge') continue;
    seen.push((await decide(client, wallet, { challenge: found.challenge, decision: 'approve' })).status);
    break;
  }
  const { pan } = await reveal(client, wallet, { cardId, action: 'view-details' });
  const card = await client.cards.getCard({ cardId });
  seen.push(pan.endsWith(card.last4) ? 'the card that was issued' : 'another card');
  await client.sandbox.createPayment({ cardId, amount: '100', currency: 'EUR', merchant: { id: 'M-1', name: 'Kiosk', country: 'DE' } });
  seen.push(`${(await Array.fromAsync(client.cards.listCardTransactions({ cardId }))).length} payment`);
  client.session.onChange((state) => seen.push(state));
  await client.session.end();
  await client.user.getUser().catch((error: unknown) => {
    if (!isFlorinError(error, 'UNAUTHORIZED')) throw error;
  });
  return seen;
};
