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
import { type EventFollower, followEvents } from './follow-events.ts';
import { payWithCard } from './pay-with-card.ts';
import { receiveWebhooks, type WebhookOptions, type WebhookReceiver } from './receive-webhooks.ts';
import { showCard } from './show-card.ts';

type Print = (line: string) => void;

const EURE_100 = '100000000000000000000';

type Balances = { data: { currency: string; decimals: number; spendable: string; tokens: { token: string; spendable: string }[] }[] };

const NUMBER_WIDTH = 4;
const ACTION_WIDTH = 49;

export type StoryOptions = {
  /** Follows the person's events, and shows them beside the steps. */
  events?: boolean;
  /** Receives the partner's events by webhooks too, with an endpoint that exists for the time of the story. Only with `events`. */
  webhooks?: WebhookOptions | undefined;
};

export type Story = {
  chapter: (title: string) => void;
  /** Prints an action and its result, which may have several lines. The caller has verified the result. */
  step: (action: string, ...result: readonly string[]) => void;
  /** Number of steps so far. */
  steps: () => number;
};

const createStory = (print: Print, afterStep: () => void): Story => {
  let number = 0;
  return {
    chapter: (title) => print(`\n${title}`),
    step: (action, first = '', ...more) => {
      number += 1;
      print(`${String(number).padStart(NUMBER_WIDTH)}  ${action.padEnd(ACTION_WIDTH)}  ${first}`);
      for (const line of more) print(`${' '.repeat(NUMBER_WIDTH + ACTION_WIDTH + 4)}${line}`);
      afterStep();
    },
    steps: () => number,
  };
};

const spendable = async (api: ApiClient, token: string, currency: string): Promise<string> => {
  const { data } = await api.call<Balances>('GET', '/user/balances/v2', { token });
  const row = data.find((candidate) => candidate.currency === currency);
  assert(row, `the balances have no ${currency} row`);
  return `${formatAmount(BigInt(row.spendable), row.decimals)} ${currency}`;
};

const register = async (api: ApiClient, { chapter, step }: Story): Promise<Person> => {
  chapter('Sign-in and registration');
  const wallet = newWallet();
  const tokens = await signIn(api, wallet);
  assert.equal(tokens.userId, undefined, 'a new wallet has no user');
  step('Sign in with a new wallet (EIP-4361)', wallet.address);

  const email = `demo-${wallet.address.slice(2, 12).toLowerCase()}@example.org`;
  const otp = await requestEmailCode(api, tokens.accessToken, email);
  step('Receive a one-time code by e-mail', `${otp} for ${email}`);

  const { userId, accessToken } = await api.call<{ userId: string; accessToken: string }>('POST', '/user', {
    token: tokens.accessToken,
    body: { email, otp },
  });
  step('Register', `user ${userId}`);
  return { wallet, email, userId, token: accessToken, refreshToken: tokens.refreshToken };
};

const orderCard = async (api: ApiClient, { token }: Person, { chapter, step }: Story): Promise<string> => {
  chapter('Card');
  const early = await api.request('POST', '/cards/virtual', { token, body: { cardName: 'Everyday' } });
  assert.deepEqual([early.status, early.body], [422, { success: false, error: 'PHONE_REQUIRED' }]);
  step('Order a card without a phone number', 'rejected: 422 PHONE_REQUIRED');

  const phone = newPhone();
  const cardId = await createCard(api, token, { cardName: 'Everyday', phone });
  const { data } = await api.call<{ data: { id: string; last4: string; status: string }[] }>('GET', '/cards', { token });
  const card = data.find(({ id }) => id === cardId);
  assert.equal(card?.status, 'active');
  step('Order a card with a phone number', `card ${cardId} ending in ${card.last4}`);

  const changed = newPhone();
  await api.call('PATCH', '/phone', { token, body: { phone: changed } });
  assert.equal((await api.call<{ phone?: string }>('GET', '/user', { token })).phone, changed);
  step('Change the phone number', `${phone} → ${changed}`);
  return cardId;
};

const fundAccount = async (api: ApiClient, { token, wallet }: Person, { chapter, step }: Story): Promise<void> => {
  chapter('Account');
  const account = await api.call<{ safeAddress: string; safeOwnerAddress: string; status: string; reference: string }>(
    'GET',
    '/user/account',
    { token },
  );
  assert.deepEqual([account.status, account.safeOwnerAddress], ['active', wallet.address]);
  step('Look at the account', `Safe ${account.safeAddress}, ${account.status}`, `reference ${account.reference}`);
  assert.equal(await spendable(api, token, 'EUR'), '0.00 EUR');

  const { txHash } = await api.call<{ txHash: string }>('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount: EURE_100 } });
  const { data } = await api.call<{ data: { txHash: string; status: string }[] }>('GET', '/user/deposits', { token });
  assert.deepEqual(
    data.map((row) => [row.txHash, row.status]),
    [[txHash, 'approved']],
  );
  step('Deposit 100 EURe', `transaction ${txHash.slice(0, 18)}…, approved`);

  assert.equal(await spendable(api, token, 'EUR'), '100.00 EUR');
  step('Look at the balance', await spendable(api, token, 'EUR'));
};

/** @returns the approved challenge */
const approvePayment = async (api: ApiClient, person: Person, cardId: string, { chapter, step }: Story): Promise<string> => {
  chapter('Card payment with 3-D Secure');
  const { token, wallet } = person;
  const challengeId = await raiseChallenge(api, token, cardId);
  const { challenge } = await api.call<ChallengeDetail>('GET', `/3ds/challenges/${challengeId}`, { token });
  assert.deepEqual([challenge.status, challenge.decisionAvailable, challenge.amount], ['pending', true, PAYMENT.amount]);
  const price = `${formatAmount(BigInt(PAYMENT.amount), 2)} EUR`;
  step(`Pay ${price} at ${challenge.merchant.displayName}`, `challenge ${challengeId}`);

  const typedData = await issueTypedData(api, token, challengeId, 'approve');
  const signature = await signTypedData(wallet, typedData);
  step('Sign what the wallet shows (EIP-712)', ...typedData.message.authorization.split('\n'));

  const decided = await submitDecision(api, token, challengeId, 'approve', signature);
  assert.deepEqual([decided.challenge.status, decided.challenge.decision], ['approved', 'approve']);
  step('Submit the decision', decided.challenge.status);

  const second = await raiseChallenge(api, token, cardId);
  const replay = await api.request('POST', `/3ds/challenges/${second}/decision`, { token, body: { decision: 'approve', signature } });
  assert.deepEqual([replay.status, replay.body], [400, { success: false, error: 'INVALID_SIGNATURE' }]);
  const untouched = await api.call<ChallengeDetail>('GET', `/3ds/challenges/${second}`, { token });
  assert.equal(untouched.challenge.status, 'pending');
  const message = { ...typedData.message, nonce: BigInt(typedData.message.nonce) };
  const signer = await recoverTypedDataAddress({ ...typedData, message, signature });
  assert.equal(signer, wallet.address);
  step(
    'Replay the signature on another challenge',
    `rejected: ${replay.status} INVALID_SIGNATURE; the challenge stays pending`,
    `request ${replay.headers.get('x-request-id')}, signature ${signature.slice(0, 18)}… by ${signer}`,
  );
  return challengeId;
};

/**
 * Plays the whole story over the public interface: sign-in, registration, card, card data, account, deposit, balance, 3DS approval,
 * card payments and the statement.
 * @throws at the first response that is not the expected one, and if an event is missing
 */
export const playStory = async (url: string, print: Print, { events = false, webhooks }: StoryOptions = {}): Promise<void> => {
  const api = createApiClient(url);
  let follower: EventFollower | undefined;
  let receiver: WebhookReceiver | undefined;
  const story = createStory(print, () => follower?.show());
  print(`Florin demo at ${url}`);
  try {
    if (events && webhooks !== undefined) receiver = await receiveWebhooks(url, webhooks);
    const person = await register(api, story);
    if (events) follower = await followEvents(url, api, person.token, print);
    const cardId = await orderCard(api, person, story);
    await showCard(api, person, cardId, story);
    await fundAccount(api, person, story);
    const challengeId = await approvePayment(api, person, cardId, story);
    await payWithCard({ api, person, cardId, challengeId }, story);
    const shown = await follower?.check();
    if (shown !== undefined && receiver !== undefined) {
      const delivered = await receiver.check(shown);
      print(`      ${delivered} of all users of the partner by signed webhooks, these among them, in order: none is missing.`);
    }
  } finally {
    await follower?.close();
    await receiver?.close();
  }
  print(`\nThe demo is complete: all ${story.steps()} steps had the expected result.`);
};
