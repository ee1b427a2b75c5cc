import assert from 'node:assert/strict';
import { type Client, type ClientOptions, createClient, type ThreeDSChallenge } from '@florin/client';
import { prepareDecision, signIn } from '@florin/client/viem';
import { formatAmount } from '@florin/rpc/money';
import { newPhone, newWallet, PAYMENT, type Wallet } from '../support/story.ts';
import { type EventFollower, followEvents } from './follow-events.ts';
import { depositOnChain, type LocalNode, localNode, settleOnChain, setUpSafe } from './on-chain.ts';
import { payWithCard } from './pay-with-card.ts';
import { receiveWebhooks, type WebhookOptions, type WebhookReceiver } from './receive-webhooks.ts';
import { showCard } from './show-card.ts';

type Print = (line: string) => void;

const EURE_100 = '100000000000000000000';

/** Whose message a wallet signs. */
const DOMAIN = 'localhost:3000';

const NUMBER_WIDTH = 4;
const ACTION_WIDTH = 49;

export type StoryOptions = {
  /** Follows the person's events, and shows them beside the steps. */
  events?: boolean;
  /** Receives the partner's events by webhooks too, with an endpoint that exists for the time of the story. Only with `events`. */
  webhooks?: WebhookOptions | undefined;
  /** The node of `CHAIN=local`: the Safe is deployed there, what the card spends is collected from it, and money is withdrawn. */
  chainNode?: string | undefined;
  /** Makes the requests, instead of the global one. */
  fetch?: NonNullable<ClientOptions['fetch']>;
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

const spendable = async (client: Client, currency: string): Promise<string> => {
  const { data } = await client.userAccount.getBalances();
  const row = data.find((candidate) => candidate.currency === currency);
  assert(row, `the balances have no ${currency} row`);
  return `${formatAmount(BigInt(row.spendable), row.decimals)} ${currency}`;
};

/** @returns the wallet of the new person, whom the client is signed in as */
const register = async (client: Client, { chapter, step }: Story): Promise<Wallet> => {
  chapter('Sign-in and registration');
  const wallet = newWallet();
  const signedIn = await signIn(client, wallet, { domain: DOMAIN, uri: `http://${DOMAIN}/login` });
  assert.equal(signedIn.userId, undefined, 'a new wallet has no user');
  step('Sign in with a new wallet (EIP-4361)', wallet.address);

  const email = `demo-${wallet.address.slice(2, 12).toLowerCase()}@example.org`;
  await client.auth.sendEmailCode({ email });
  const { data } = await client.sandbox.listOutbox({ to: email });
  const otp = data[0]?.code ?? assert.fail('the outbox has no code');
  step('Receive a one-time code by e-mail', `${otp} for ${email}`);

  const { userId } = await client.user.registerUser({ email, otp });
  assert.equal(await client.session.userId(), userId);
  step('Register', `user ${userId}`);
  return wallet;
};

const orderCard = async (client: Client, { chapter, step }: Story): Promise<string> => {
  chapter('Card');
  const early = await client.cards.createVirtualCard({ cardName: 'Everyday' }).result();
  assert(!early.ok, 'a card was issued without a phone number');
  assert.deepEqual([early.error.status, early.error.code], [422, 'PHONE_REQUIRED']);
  step('Order a card without a phone number', 'rejected: 422 PHONE_REQUIRED');

  const phone = newPhone();
  const { cardId } = await client.cards.createVirtualCard({ cardName: 'Everyday', phone });
  const [card] = await Array.fromAsync(client.cards.listCards());
  assert.deepEqual([card?.id, card?.status], [cardId, 'active']);
  step('Order a card with a phone number', `card ${cardId} ending in ${card?.last4}`);

  const changed = newPhone();
  await client.phone.updatePhone({ phone: changed });
  assert.equal((await client.user.getUser()).phone, changed);
  step('Change the phone number', `${phone} → ${changed}`);
  return cardId;
};

const fundAccount = async (client: Client, wallet: Wallet, node: LocalNode | undefined, { chapter, step }: Story): Promise<void> => {
  chapter('Account');
  const account = await client.userAccount.getAccount();
  assert.deepEqual([account.status, account.safeOwnerAddress], ['active', wallet.address]);
  step('Look at the account', `Safe ${account.safeAddress}, ${account.status}`, `reference ${account.reference}`);
  assert.equal(await spendable(client, 'EUR'), '0.00 EUR');

  const txHash =
    node === undefined
      ? (await client.sandbox.createDeposit({ token: 'EURe', amount: EURE_100 })).txHash
      : await depositOnChain(client, node);
  const deposits = await Array.fromAsync(client.userMovements.listDeposits());
  assert.deepEqual(
    deposits.map((row) => [row.txHash, row.status]),
    [[txHash, 'approved']],
  );
  step('Deposit 100 EURe', `transaction ${txHash.slice(0, 18)}…, approved`);

  assert.equal(await spendable(client, 'EUR'), '100.00 EUR');
  step('Look at the balance', await spendable(client, 'EUR'));
};

/** The challenge of a new payment, as the person is shown it. */
const askToPay = async (client: Client, cardId: string): Promise<ThreeDSChallenge> => {
  const { challengeId } = await client.sandbox.createChallenge({ cardId, ...PAYMENT });
  return (await client.threeDs.getChallenge({ challengeId })).challenge;
};

/** @returns the approved challenge */
const approvePayment = async (client: Client, wallet: Wallet, cardId: string, { chapter, step }: Story): Promise<string> => {
  chapter('Card payment with 3-D Secure');
  const challenge = await askToPay(client, cardId);
  assert.deepEqual([challenge.status, challenge.decisionAvailable, challenge.amount], ['pending', true, PAYMENT.amount]);
  const price = `${formatAmount(BigInt(PAYMENT.amount), 2)} EUR`;
  step(`Pay ${price} at ${challenge.merchant.displayName}`, `challenge ${challenge.id}`);

  // Every line was compared with the challenge before the wallet is asked.
  const { text, submit } = await prepareDecision(client, { challenge, decision: 'approve' });
  step('Read what the wallet will sign (EIP-712)', ...text.split('\n'));

  let signature = '';
  const signTypedData = async (typedData: Parameters<Wallet['signTypedData']>[0]) => {
    const signed = await wallet.signTypedData(typedData);
    signature = signed;
    return signed;
  };
  const decided = await submit({ ...wallet, signTypedData: signTypedData as Wallet['signTypedData'] });
  assert.deepEqual([decided.status, decided.decision], ['approved', 'approve']);
  step('Sign it, and submit the decision', decided.status);

  const second = await askToPay(client, cardId);
  const replay = await client.threeDs.submitDecision({ challengeId: second.id, decision: 'approve', signature }).result();
  assert(!replay.ok, 'a signature was accepted twice');
  assert.deepEqual([replay.error.status, replay.error.code], [400, 'INVALID_SIGNATURE']);
  const untouched = await client.threeDs.getChallenge({ challengeId: second.id });
  assert.equal(untouched.challenge.status, 'pending');
  step(
    'Replay the signature on another challenge',
    `rejected: ${replay.error.status} ${replay.error.code}; the challenge stays pending`,
    `request ${replay.error.requestId}, signature ${signature.slice(0, 18)}… by ${wallet.address}`,
  );
  return challenge.id;
};

/**
 * Plays the whole story over the public interface, with the typed client: sign-in, registration, card, card data, account, deposit, balance, 3DS approval,
 * card payments and the statement.
 * @throws at the first response that is not the expected one, and if an event is missing
 */
export const playStory = async (
  url: string,
  print: Print,
  { events = false, webhooks, chainNode, ...options }: StoryOptions = {},
): Promise<void> => {
  const client = createClient({ url, ...options });
  const node = chainNode === undefined ? undefined : localNode(chainNode);
  let follower: EventFollower | undefined;
  let receiver: WebhookReceiver | undefined;
  const story = createStory(print, () => follower?.show());
  print(`Florin demo at ${url}`);
  try {
    if (events && webhooks !== undefined) receiver = await receiveWebhooks(url, webhooks);
    const wallet = await register(client, story);
    if (events) follower = followEvents(client, print);
    if (node !== undefined) await setUpSafe(client, wallet, node, story);
    const cardId = await orderCard(client, story);
    await showCard(client, wallet, cardId, story);
    await fundAccount(client, wallet, node, story);
    const challengeId = await approvePayment(client, wallet, cardId, story);
    await payWithCard({ client, cardId, challengeId }, story);
    if (node !== undefined) await settleOnChain(client, wallet, node, story);
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
