import { waitFor } from '@florin/rpc/testing/wait-for';
import { type ApiClient, isRejection } from '../../support/api-client.ts';
import { type CardDetails, createCardDataApp } from '../../support/card-data.ts';
import { fromOwnAddress } from '../../support/customer-address.ts';
import { createCard, decide, PAYMENT, type Person, raiseChallenge } from '../../support/story.ts';
import { registerWithRetries } from '../life.ts';
import { type Action, type FaultNetwork, FUEL_HOLD, type SentPayment } from './network.ts';

/** The initial balance of every holder, in cents. */
export const DEPOSIT = 10_000_000;

const REGISTERED_MS = 180_000;

/** Every so many payments one is approved in the app first, and another one is given up by the network. */
const AUTHENTICATED_EVERY = 8;
const ABANDONED_EVERY = 5;

export type Holder = {
  person: Person;
  cardId: string;
  payments: SentPayment[];
  /** Details of the card at each reveal. */
  reveals: CardDetails[];
};

export const newHolder = async (api: ApiClient): Promise<Holder> => {
  // A kill of Redis may take the code with it.
  const person = await waitFor('a registration', () => registerWithRetries(fromOwnAddress(api)), REGISTERED_MS);
  const cardId = await createCard(api, person.token);
  const body = { token: 'EURe', amount: `${BigInt(DEPOSIT) * 10n ** 16n}` };
  await api.call('POST', '/sandbox/deposits', { token: person.token, body });
  return { person, cardId, payments: [], reveals: [] };
};

type Surroundings = { api: ApiClient; network: FaultNetwork; random: () => number };

/** Under a transaction id of its own. */
const OWN = true;

type Story = readonly (readonly [action: Action | 'refundElsewhere', share: number, isOwn?: typeof OWN])[];

/** The continuations of an approved authorization, as sequences of events with their shares of the authorized amount. */
const STORIES: readonly Story[] = [
  [['clear', 1]],
  [
    ['clearPart', 0.5],
    ['clear', 0.3],
    ['refund', 0.2],
  ],
  [['reverse', 0]],
  [
    ['reversePart', 0.4],
    ['clear', 0.6],
  ],
  [
    ['increment', 0.5],
    ['clear', 1.4],
  ],
  [
    ['advise', 1.5],
    ['clearPart', 1.7],
    ['increment', 0.5],
    ['clear', 0.2],
  ],
  [
    ['clear', 1],
    ['refund', 0.5],
    ['reverseRefund', 0.2],
  ],
  [
    ['clear', 1],
    ['refundElsewhere', 0.5],
    ['correctCredit', 0.2],
    ['correctDebit', 0.1],
  ],
  [
    ['announce', 0.5],
    ['forcePost', 0.3],
    ['reverseAnnounced', 0.2],
    ['clear', 0.7],
    ['credit', 0.1],
  ],
  [['expire', 0]],
  [
    ['advise', 1.2, OWN],
    ['clearPart', 0.5, OWN],
    ['reversePart', 0.2, OWN],
    ['clear', 0.4, OWN],
  ],
  [
    ['expire', 0, OWN],
    ['clear', 1, OWN],
  ],
  [['reverse', 0, OWN]],
  [
    ['undo', 0],
    ['authorize', 0.8],
    ['clear', 0.8],
    ['presentAgain', 0.8],
  ],
  [
    ['clearPart', 1.2],
    ['increment', 0.6],
    ['undoIncrease', 0],
    ['increment', 0.7],
    ['clear', 0.3],
  ],
  [
    ['askCredit', 0.4],
    ['clear', 1],
    ['refund', 0.4],
  ],
  [
    ['clear', 1],
    ['dispute', 1],
    ['chargeBack', 1],
    ['refundElsewhere', 0.3],
    ['win', 1],
    ['present', 1, OWN],
    ['lose', 1],
  ],
  [
    ['clearUnknown', 0.6],
    ['clear', 1],
    ['dispute', 1],
    ['giveUp', 1],
    ['refundUnknown', 0.2],
    ['dispute', 1],
    ['win', 1],
  ],
  [],
];

/** Of an approved request for fuel, with amounts of their own. */
const FUELED: readonly Story[] = [
  [
    ['advise', 0.4, OWN],
    ['clear', 0.4],
  ],
  [['clear', 0.7]],
  [['reverse', 0]],
];

/** Of what begins otherwise. */
const UNASKED: readonly Story[] = [
  [
    ['standIn', 1],
    ['clear', 1, OWN],
    ['reversePart', 0.4, OWN],
  ],
  [
    ['reverse', 0],
    ['standIn', 1],
    ['advise', 0.7],
  ],
  [
    ['declineElsewhere', 1],
    ['verify', 1],
    ['forcePost', 0.5],
  ],
  [['inquire', 1]],
  [
    ['verify', 1],
    ['standInUnknown', 1],
    ['reverseUnknown', 0.4],
    ['reverseUnknown', 0.6],
  ],
];

/** Of an approved withdrawal. */
const WITHDRAWALS: readonly Story[] = [
  [],
  [['reverse', 0, OWN]],
  [['advise', 0.6]],
  [
    ['reversePart', 0.3],
    ['refund', 0.2],
  ],
  [['clear', 1]],
  [
    ['refund', 0.2],
    ['undo', 0, OWN],
    ['withdraw', 0.8],
    ['clear', 1],
  ],
];

/** Every so many payments are withdrawals, fuel, or begin without a request. */
const WITHDRAWN_EVERY = 4;
const FUELED_EVERY = 8;
const UNASKED_EVERY = 8;

const oneOf = (stories: readonly Story[], random: () => number): Story => stories[Math.floor(random() * stories.length)] ?? [];

/** Begins a payment. @returns how it goes on, with the amount that its shares are of; undefined if it was declined */
const begin = async (
  { network, random }: Surroundings,
  payment: SentPayment,
  challengeId?: string,
): Promise<{ story: Story; amount: number } | undefined> => {
  const amount = challengeId === undefined ? 10 + Math.floor(random() * 190) : Number(PAYMENT.amount);
  const draw = challengeId === undefined ? random() : 1;
  const authentication = challengeId === undefined ? {} : { challengeId };
  if (draw < 1 / UNASKED_EVERY) return { story: oneOf(UNASKED, random), amount };
  if (draw < 1 / UNASKED_EVERY + 1 / FUELED_EVERY)
    return (await network.send(payment, 'fuel', FUEL_HOLD)) ? { story: oneOf(FUELED, random), amount: FUEL_HOLD } : undefined;
  const isWithdrawal = draw < 1 / UNASKED_EVERY + 1 / FUELED_EVERY + 1 / WITHDRAWN_EVERY;
  if (!(await network.send(payment, isWithdrawal ? 'withdraw' : 'authorize', amount, authentication))) return undefined;
  return { story: oneOf(isWithdrawal ? WITHDRAWALS : STORIES, random), amount };
};

/** One payment from its authorization to the end of a random story. */
const pay = async (surroundings: Surroundings, holder: Holder, challengeId?: string): Promise<void> => {
  const { network } = surroundings;
  const payment = network.newPayment(holder.cardId);
  holder.payments.push(payment);
  const begun = await begin(surroundings, payment, challengeId);
  if (begun === undefined) return;
  const { story, amount } = begun;
  for (const [action, share, isOwn = false] of story) {
    const part = Math.max(1, Math.floor(amount * share));
    if (action !== 'refundElsewhere') {
      await network.send(payment, action, part, { isOwn });
      continue;
    }
    const { authorizationCode = '' } = (payment.events[0]?.answer ?? {}) as { authorizationCode?: string };
    const refund = { ...network.newPayment(holder.cardId), authorizationCode };
    holder.payments.push(refund);
    await network.send(refund, 'refund', part);
  }
};

/** A payment that the cardholder approves in the app. */
const payAuthenticated = async (surroundings: Surroundings, holder: Holder): Promise<void> => {
  const { api } = surroundings;
  const { person, cardId } = holder;
  const challengeId = await raiseChallenge(api, person.token, cardId);
  await decide(api, person, challengeId, 'approve');
  await pay(surroundings, holder, challengeId);
};

/** Pays with a card over and over, until `over`. */
export const payOnAndOn = async (surroundings: Surroundings, holder: Holder, over: () => boolean): Promise<void> => {
  const { network, random } = surroundings;
  for (let count = 1; !over(); count += 1) {
    if (count % AUTHENTICATED_EVERY === 0) await payAuthenticated(surroundings, holder);
    else await pay(surroundings, holder);
    if (count % ABANDONED_EVERY === 0) {
      const payment = network.newPayment(holder.cardId);
      holder.payments.push(payment);
      await network.sendAndForget(payment, 10 + Math.floor(random() * 190));
    }
  }
};

/** Looks at a card's data. A consent whose use was answered by nobody may be used up: the app asks for another one. */
const viewPatiently = async (app: Awaited<ReturnType<typeof createCardDataApp>>, cardId: string): Promise<CardDetails> => {
  for (;;) {
    try {
      return await app.viewDetails(cardId);
    } catch (error) {
      if (!isRejection(error) || error.code !== 'INVALID_SIGNATURE') throw error;
    }
  }
};

/** Issues cards over and over, until `over`, and looks at their data twice. @param holders gets everyone who has a card */
export const issueOnAndOn = async ({ api }: Surroundings, holders: Holder[], over: () => boolean): Promise<void> => {
  while (!over()) {
    const holder = await newHolder(api);
    holders.push(holder);
    const app = await createCardDataApp(api, holder.person);
    for (const _time of [1, 2]) holder.reveals.push(await viewPatiently(app, holder.cardId));
  }
};
