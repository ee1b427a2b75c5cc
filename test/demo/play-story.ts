import assert from 'node:assert/strict';
import { formatAmount } from '@florin/rpc/money';
import { recoverTypedDataAddress } from 'viem';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import {
  type ChallengeDetail,
  createCard,
  issueTypedData,
  newPhone,
  newWallet,
  PAYMENT,
  type Person,
  raiseChallenge,
  requestEmailCode,
  signIn,
  signTypedData,
  submitDecision,
} from '../support/story.ts';

type Print = (line: string) => void;

const EURE_100 = '100000000000000000000';

type Balances = { data: { currency: string; decimals: number; spendable: string; tokens: { token: string; spendable: string }[] }[] };

/** Prints what was done and what came back; what came back was asserted before. */
const stepPrinter = (print: Print) => {
  let number = 0;
  return (what: string, result: string): void => {
    number += 1;
    print(`${String(number).padStart(2)}. ${what.padEnd(34)} ${result}`);
  };
};

const spendable = async (api: ApiClient, token: string, currency: string): Promise<string> => {
  const { data } = await api.call<Balances>('GET', '/user/balances/v2', { token });
  const row = data.find((candidate) => candidate.currency === currency);
  assert(row, `no ${currency} row`);
  return `${formatAmount(BigInt(row.spendable), row.decimals)} ${currency}`;
};

const register = async (api: ApiClient, step: (what: string, result: string) => void): Promise<Person> => {
  const wallet = newWallet();
  const tokens = await signIn(api, wallet);
  assert.equal(tokens.userId, undefined, 'a fresh wallet has no user');
  step('sign in with a fresh wallet', wallet.address);

  const email = `demo-${wallet.address.slice(2, 12).toLowerCase()}@example.org`;
  const otp = await requestEmailCode(api, tokens.accessToken, email);
  step('e-mail code out of the outbox', `${otp} for ${email}`);

  const { userId, accessToken } = await api.call<{ userId: string; accessToken: string }>('POST', '/user', {
    token: tokens.accessToken,
    body: { email, otp },
  });
  step('register', `user ${userId}`);
  return { wallet, email, userId, token: accessToken, refreshToken: tokens.refreshToken };
};

const orderCard = async (api: ApiClient, { token }: Person, step: (what: string, result: string) => void): Promise<string> => {
  const early = await api.request('POST', '/cards/virtual', { token, body: { cardName: 'Everyday' } });
  assert.deepEqual([early.status, early.body], [422, { success: false, error: 'PHONE_REQUIRED' }]);
  step('first card without a phone', '422 PHONE_REQUIRED');

  const phone = newPhone();
  const cardId = await createCard(api, token, { cardName: 'Everyday', phone });
  const { data } = await api.call<{ data: { id: string; last4: string; status: string }[] }>('GET', '/cards', { token });
  const card = data.find(({ id }) => id === cardId);
  assert.equal(card?.status, 'active');
  step('first card with a phone', `card ${cardId} ending in ${card.last4}`);

  const changed = newPhone();
  await api.call('PATCH', '/phone', { token, body: { phone: changed } });
  assert.equal((await api.call<{ phone?: string }>('GET', '/user', { token })).phone, changed);
  step('change the phone number', `${phone} → ${changed}`);
  return cardId;
};

const fundAccount = async (api: ApiClient, { token, wallet }: Person, step: (what: string, result: string) => void): Promise<void> => {
  const account = await api.call<{ safeAddress: string; safeOwnerAddress: string; status: string; reference: string }>(
    'GET',
    '/user/account',
    { token },
  );
  assert.deepEqual([account.status, account.safeOwnerAddress], ['active', wallet.address]);
  step('account', `Safe ${account.safeAddress}, ${account.status}, reference ${account.reference}`);
  assert.equal(await spendable(api, token, 'EUR'), '0.00 EUR');

  const { txHash } = await api.call<{ txHash: string }>('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount: EURE_100 } });
  const { data } = await api.call<{ data: { txHash: string; status: string }[] }>('GET', '/user/deposits', { token });
  assert.deepEqual(
    data.map((row) => [row.txHash, row.status]),
    [[txHash, 'approved']],
  );
  step('deposit of 100 EURe', `${txHash.slice(0, 18)}… approved`);

  assert.equal(await spendable(api, token, 'EUR'), '100.00 EUR');
  step('balances', await spendable(api, token, 'EUR'));
};

const payWithCard = async (api: ApiClient, person: Person, cardId: string, step: (what: string, result: string) => void): Promise<void> => {
  const { token, wallet } = person;
  const challengeId = await raiseChallenge(api, token, cardId);
  const { challenge } = await api.call<ChallengeDetail>('GET', `/3ds/challenges/${challengeId}`, { token });
  assert.deepEqual([challenge.status, challenge.decisionAvailable, challenge.amount], ['pending', true, PAYMENT.amount]);
  step('3DS challenge', `${challengeId}, ${formatAmount(BigInt(PAYMENT.amount), 2)} EUR at ${challenge.merchant.displayName}`);

  const typedData = await issueTypedData(api, token, challengeId, 'approve');
  const signature = await signTypedData(wallet, typedData);
  step('the wallet shows and signs', typedData.message.authorization.replaceAll('\n', ' | '));

  const decided = await submitDecision(api, token, challengeId, 'approve', signature);
  assert.deepEqual([decided.challenge.status, decided.challenge.decision], ['approved', 'approve']);
  step('decision', decided.challenge.status);

  const second = await raiseChallenge(api, token, cardId);
  const replay = await api.request('POST', `/3ds/challenges/${second}/decision`, { token, body: { decision: 'approve', signature } });
  assert.deepEqual([replay.status, replay.body], [400, { success: false, error: 'INVALID_SIGNATURE' }]);
  const untouched = await api.call<ChallengeDetail>('GET', `/3ds/challenges/${second}`, { token });
  assert.equal(untouched.challenge.status, 'pending');
  const message = { ...typedData.message, nonce: BigInt(typedData.message.nonce) };
  const signer = await recoverTypedDataAddress({ ...typedData, message, signature });
  assert.equal(signer, wallet.address);
  step('replay on another challenge', `refused: ${replay.status} INVALID_SIGNATURE, challenge ${second} stays pending`);
  step(
    '  receipt of the refused replay',
    `request ${replay.headers.get('x-request-id')}, signature ${signature.slice(0, 18)}… by ${signer}`,
  );
};

/**
 * Plays sign-in, registration, card, account, deposit, balances and a 3DS approval over the public interface.
 * @throws as soon as any answer is not the expected one
 */
export const playStory = async (url: string, print: Print): Promise<void> => {
  const api = createApiClient(url);
  const step = stepPrinter(print);
  print(`Florin at ${url}`);
  const person = await register(api, step);
  const cardId = await orderCard(api, person, step);
  await fundAccount(api, person, step);
  await payWithCard(api, person, cardId, step);
  print('The story is told: every step was as expected.');
};
