/** The story of a cardholder with types that openapi-typescript generated from the document, over openapi-fetch. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { components, paths } from './schema.ts';

const wallet = privateKeyToAccount(generatePrivateKey());
const baseUrl = process.argv[2] ?? '';
const anonymous = createClient<paths>({ baseUrl });
const asHolderOf = (token: string) => createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

/** The body of a response that must be a success. */
const bodyOf = <T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T => {
  assert.ok(data !== undefined, `${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
};

const domain = 'localhost:3000';
const query = { domain, uri: `http://${domain}` };
const { message } = bodyOf(await anonymous.GET('/auth/siwe/{address}', { params: { path: { address: wallet.address }, query } }));
const body = { message, signature: await wallet.signMessage({ message }) };
const tokens: components['schemas']['TokenPair'] = bodyOf(await anonymous.POST('/auth/siwe', { body }));

const email = `person-${randomUUID()}@example.org`;
const asWallet = asHolderOf(tokens.accessToken);
bodyOf(await asWallet.POST('/email-verification', { body: { email } }));
const { data: messages } = bodyOf(await anonymous.GET('/sandbox/outbox', { params: { query: { to: email } } }));
const registration = bodyOf(await asWallet.POST('/user', { body: { email, otp: messages[0]?.code ?? '' } }));
assert.ok(registration.expiresIn > 0);
const person = asHolderOf(registration.accessToken);

const refused = await person.POST('/cards/virtual', { body: { cardName: 'Everyday' } });
assert.equal(refused.response.status, 422);
assert.equal(refused.error?.error, 'PHONE_REQUIRED');
const { cardId } = bodyOf(await person.POST('/cards/virtual', { body: { cardName: 'Everyday', phone: '+4915112345678' } }));
const renamed = await person.PATCH('/cards/{cardId}', { params: { path: { cardId } }, body: { cardName: 'Travel' } });
assert.equal(bodyOf(renamed).cardName, 'Travel');

bodyOf(await person.POST('/sandbox/deposits', { body: { token: 'EURe', amount: '100000000000000000000', kyt: 'approve' } }));
assert.equal(bodyOf(await person.GET('/user/balances/v2')).data[0]?.spendable, '10000');

const payment = { cardId, amount: '4999', currency: 'EUR', merchant: { displayName: 'Bookshop' }, expiresInSeconds: 300 } as const;
const { challengeId } = bodyOf(await person.POST('/sandbox/3ds/challenges', { body: payment }));
const params = { path: { challengeId } };
const typed = bodyOf(await person.POST('/3ds/challenges/{challengeId}/decision-challenge', { params, body: { decision: 'approve' } }));
const signature = await wallet.signTypedData({
  domain: typed.domain,
  primaryType: 'Message',
  types: { Message: typed.types.Message },
  message: { ...typed.message, nonce: BigInt(typed.message.nonce) },
});
const decision = await person.POST('/3ds/challenges/{challengeId}/decision', { params, body: { decision: 'approve', signature } });
assert.equal(bodyOf(decision).challenge.status, 'approved');

const refreshed = bodyOf(await anonymous.POST('/auth/refresh', { body: { refreshToken: tokens.refreshToken } }));
assert.equal(refreshed.userId, registration.userId);
process.stdout.write('the story is complete\n');
