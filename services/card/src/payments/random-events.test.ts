import { scaled } from '@florin/rpc/testing/scaled';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Card } from '../domain/card.ts';
import { disputesOf, newlyDisputableOf } from '../domain/dispute.ts';
import { newPayment } from '../domain/new-payment.ts';
import { isOfIncreases, type Payment, usageOf } from '../domain/payment.ts';
import type { Decision, PaymentEvent, PaymentEventType } from '../domain/payment-event.ts';
import { holdIdOf } from '../domain/payment-ids.ts';
import { recordEvent, uncleared } from '../domain/record-event.ts';
import { ordersOf } from '../domain/replay-orders.ts';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import {
  ACTIONS,
  type Action,
  apply,
  canDispute,
  canEnd,
  disputeCredit,
  FUEL_HOLD,
  FUEL_UNIT,
  type Model,
  newModel,
  ownerOf,
  PROVISIONAL_PERCENT,
} from '../testing/payment-model.ts';
import type { EventInput } from './event-input.ts';
import { findFollowed, findPayments } from './find-payments.ts';

const TYPES: Readonly<Partial<Record<Action, PaymentEventType>>> = {
  ...({ authorize: 'authorization', withdraw: 'authorization', fuel: 'authorization', increment: 'increment' } as const),
  ...({ askCredit: 'credit_request', verify: 'verification', inquire: 'balance_inquiry', declineElsewhere: 'decline' } as const),
  ...({ incrementAside: 'increment', adviseAside: 'advice', reverseAside: 'reversal', reversePartAside: 'reversal' } as const),
  ...({ acknowledge: 'acknowledgement', advise: 'advice', standIn: 'advice', expire: 'expiry' } as const),
  ...({ clear: 'clearing', clearPart: 'clearing', presentAgain: 'clearing', forcePost: 'force_post' } as const),
  ...({ reverse: 'reversal', reversePart: 'reversal', reverseAgain: 'reversal', undo: 'reversal', undoIncrease: 'reversal' } as const),
  ...({ refund: 'refund', reverseRefund: 'refund_reversal', credit: 'credit' } as const),
  ...({ refundElsewhere: 'related_refund', reverseElsewhere: 'related_refund_reversal' } as const),
  ...({ announce: 'credit_announced', reverseAnnounced: 'announcement_reversal' } as const),
  ...({ correctDebit: 'correction_debit', correctCredit: 'correction_credit' } as const),
  ...({
    dispute: 'dispute_opened',
    disputePart: 'dispute_opened',
    chargeBack: 'dispute_chargeback',
    present: 'second_presentment',
  } as const),
  ...({ arbitrate: 'dispute_arbitration', win: 'dispute_won', winPart: 'dispute_won', lose: 'dispute_lost' } as const),
  giveUp: 'dispute_withdrawn',
};

const WITHOUT_AMOUNT: ReadonlySet<Action> = new Set([
  ...(['reverse', 'reverseAside', 'undo', 'undoIncrease', 'expire', 'acknowledge', 'verify', 'inquire'] as const),
  ...(['dispute', 'chargeBack', 'arbitrate', 'win', 'lose', 'giveUp'] as const),
]);

type Step = { place: number; action: Action; amount: number; isOwn: boolean };

/** The code, or the network's id of the transaction, that approvals have, and events under transaction ids of their own. */
type Names = Pick<PaymentEvent, 'authorizationCode' | 'network'>;

/** The request that an action undoes, or the event that it sends again; undefined if there is none. */
const earlierOf = ({ events }: Payment, action: Action): PaymentEvent | undefined => {
  const latest = (type: PaymentEventType, fits: (event: PaymentEvent) => boolean) =>
    events.findLast((event) => event.type === type && fits(event));
  const isApproved = ({ decision }: PaymentEvent) => decision?.decline === undefined;
  if (action === 'undo') return latest('authorization', isApproved);
  if (action === 'undoIncrease') return latest('increment', isApproved);
  if (action === 'presentAgain') return latest('clearing', ({ network }) => network?.repeat !== true);
  return latest('reversal', ({ amount, network }) => amount !== undefined && network?.repeat !== true);
};

const AGAIN: ReadonlySet<Action> = new Set(['undo', 'undoIncrease', 'presentAgain', 'reverseAgain']);

const ASIDE: ReadonlySet<Action> = new Set(['incrementAside', 'adviseAside', 'reverseAside', 'reversePartAside']);

/** The answer to a request when nothing but the payment's state speaks against it. */
const decisionOf = (
  payment: Payment,
  type: PaymentEventType,
  { amount, billing }: { amount: bigint; billing: bigint },
  authorizationCode = '123456',
): Decision | undefined => {
  const isPending = payment.holdId !== undefined && payment.ended === undefined;
  if (type === 'decline' || (type === 'increment' && !isPending))
    return { decline: 'transaction_invalid', billing: 0n, amount: 0n, held: 0n };
  const held = type === 'authorization' ? uncleared(payment, billing) : billing;
  if (type === 'authorization' || type === 'increment') return { amount, billing, held, authorizationCode };
  return type === 'credit_request' ? { amount, billing, held: 0n, authorizationCode } : undefined;
};

/** An action as the event that reports it, decided if it is a request. */
const eventOf = (
  payment: Payment,
  { action, amount: drawn }: Pick<Step, 'action' | 'amount'>,
  id: string,
  names: Names,
): PaymentEvent | undefined => {
  const type = TYPES[action];
  const earlier = AGAIN.has(action) ? earlierOf(payment, action) : undefined;
  if (type === undefined || (AGAIN.has(action) && earlier === undefined)) return undefined;
  const repeats = action === 'presentAgain' || action === 'reverseAgain';
  const amount = action === 'fuel' ? BigInt(FUEL_UNIT) : ((repeats ? earlier?.amount : undefined) ?? BigInt(drawn));
  const billing = action === 'fuel' ? BigInt(FUEL_HOLD) : amount;
  const { authorizationCode, network: stated } = names;
  const decision = decisionOf(payment, type, { amount, billing }, authorizationCode);
  const network = {
    ...stated,
    ...(type === 'clearing' ? { acquirerReference: earlier?.network?.acquirerReference ?? id } : {}),
    ...(action === 'reversePart' || action === 'reverseAgain' ? { traceNumber: earlier?.network?.traceNumber ?? id } : {}),
    ...(action === 'reverseAgain' ? { repeat: true as const } : {}),
  };
  const isOpening = type === 'dispute_opened';
  const disputed = action === 'dispute' ? newlyDisputableOf(payment) : amount;
  const opened = { id, reason: 'other', provisionalCredit: (disputed * BigInt(PROVISIONAL_PERCENT)) / 100n };
  return {
    ...{ id, type, at: PAYMENT_AT, network },
    ...(authorizationCode === undefined || decision !== undefined ? {} : { authorizationCode }),
    ...(ASIDE.has(action) ? { transactionId: 'aside' } : {}),
    ...(WITHOUT_AMOUNT.has(action) ? {} : { amount, currency: 'EUR', billing }),
    ...(action === 'fuel' ? { isEstimate: true as const } : {}),
    ...(action === 'withdraw' || action === 'standIn' ? { singleMessage: true } : {}),
    ...(action === 'clearPart' ? { moreExpected: true } : {}),
    ...(type === 'reversal' && !repeats && earlier !== undefined ? { undoneRequestId: earlier.id } : {}),
    ...(type.startsWith('dispute_') ? { dispute: isOpening ? opened : { id: payment.dispute?.id ?? '' } } : {}),
    ...(decision === undefined ? {} : { decision }),
  };
};

/** The ledger's side: its holds, and the amount that it has paid the account on balance. */
type Books = { holds: Map<string, bigint>; paid: bigint };

/** Carries out what an event has ordered, as the ledger does. */
const carryOut = ({ holds, paid }: Books, before: Payment, after: Payment): Books => {
  const next = new Map(holds);
  const change = (holdId: string, by: bigint) => next.set(holdId, (next.get(holdId) ?? 0n) + by);
  const { id, type, decision } = after.events.at(-1) ?? {};
  // The hold precedes the record of its request.
  if (type === 'authorization' && decision !== undefined) change(holdIdOf(after.id, id ?? ''), decision.held);
  if (type === 'increment' && decision?.held) change(before.holdId ?? '', decision.held);
  let balance = paid;
  for (const effect of after.effects.slice(before.effects.length)) {
    if (effect.kind === 'open_hold' || effect.kind === 'increase_hold') change(effect.holdId, effect.amount);
    if (effect.kind === 'decrease_hold' || effect.kind === 'cancel_increase') change(effect.holdId, -effect.amount);
    if (effect.kind === 'void_hold' || effect.kind === 'cancel_hold') next.set(effect.holdId, 0n);
    if (effect.kind === 'credit') balance += effect.amount;
    if (effect.kind === 'debit' || effect.kind === 'post') balance -= effect.amount;
    if (effect.kind !== 'post') continue;
    const { holdId, amount, keepOpen, fromHold = amount } = effect;
    const held = next.get(holdId) ?? 0n;
    next.set(holdId, keepOpen && held > fromHold ? held - fromHold : 0n);
  }
  expect([...next.values()].every((held) => held >= 0n)).toBe(true);
  return { holds: next, paid: balance };
};

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, amount) => total + amount, 0n);

/** A payment with the state that the model expects of it, and with what the ledger has of it. */
type Followed = { payment: Payment; model: Model; books: Books };

const begun = (id: string): Followed => ({
  payment: newPayment({ ...PAYMENT_FACTS, id }),
  model: newModel(),
  books: { holds: new Map(), paid: 0n },
});

const expectAgreement = ({ payment, model, books }: Followed): void => {
  const credited = sum(disputesOf(payment).map((dispute) => dispute.credited));
  const { held, cleared, refunded, refundedElsewhere = 0n, pendingCredit } = payment;
  expect([held, cleared, refunded, refundedElsewhere, pendingCredit, credited].map(Number)).toEqual([
    ...[model.held, model.cleared, model.refunded, model.elsewhere, model.announced, disputeCredit(model)],
  ]);
  expect(books.paid).toBe(refunded + credited - cleared);
  expect(sum(books.holds.values())).toBe(held);
  expect(sum((payment.usages ?? []).map((usage) => usage.amount))).toBe(usageOf(payment));
};

const storesOf = (payments: readonly Payment[]) => ({
  payments: {
    findRecent: async () => [],
    findByNetworkReference: async (_account: string, { authorizationCode }: Pick<EventInput, 'authorizationCode'>) =>
      payments.filter((one) => one.authorizationCode === authorizationCode),
    findByTransaction: async (_account: string, id: string) =>
      payments.filter((one) => one.networkTransactionId === id || one.otherIds?.includes(id)),
  },
  cards: { findSeries: async () => [PAYMENT_FACTS.cardId] },
});

const CARD = { id: PAYMENT_FACTS.cardId, accountId: PAYMENT_FACTS.accountId } as Card;

/** Events that begin a payment. */
const BEGINNING: ReadonlySet<Action> = new Set(['authorize', 'withdraw', 'fuel', 'advise', 'standIn']);
const PRESENTMENTS: ReadonlySet<Action> = new Set(['clear', 'clearPart', 'present']);
const REFUNDS: ReadonlySet<Action> = new Set(['refundElsewhere', 'reverseElsewhere']);
/** Of these, a code alone does not find the payment. */
const UPDATES: ReadonlySet<Action> = new Set(['reverse', 'reversePart', 'expire', 'advise', 'standIn']);

const step = fc.record({
  place: fc.nat({ max: 1 }),
  action: fc.constantFrom(...ACTIONS),
  amount: fc.integer({ min: 1, max: 3000 }),
  isOwn: fc.boolean(),
});

/** The names of the two payments of the card, which may be the same. */
const naming = fc.record({ byCode: fc.boolean(), names: fc.constantFrom(['111111', '222222'], ['111111', '111111']) });

it('payments, limits and what is ordered from the ledger agree with the model after any order of events', {
  timeout: 240_000,
}, async () => {
  const run = async ({ byCode, names }: { byCode: boolean; names: readonly string[] }, steps: readonly Step[]): Promise<void> => {
    const all = new Map<string, Followed>();
    const namesAt = (place: number): Names =>
      byCode ? { authorizationCode: names[place] ?? '' } : { network: { transactionId: names[place] ?? '' } };
    const namedAs = (place: number): Followed[] =>
      [...all.values()].filter(({ payment }) => (byCode ? payment.authorizationCode : payment.networkTransactionId) === names[place]);

    /** The payment of an event under a transaction id of its own; undefined if the network cannot send it so. */
    const ownerFor = async ({ place, action }: Step, id: string): Promise<Followed | undefined> => {
      const named = namedAs(place);
      const isApproved = (one: Followed) => !one.payment.id.startsWith('payment') || one.model.open;
      const input = {
        processor: PAYMENT_FACTS.processor,
        eventId: id,
        type: TYPES[action] ?? 'clearing',
        cardId: CARD.id,
        transactionId: id,
      };
      const parts = storesOf([...all.values()].map(({ payment }) => payment).reverse());
      if (named.length === 0 || !named.every(isApproved)) return undefined;
      if (REFUNDS.has(action) && named.length === 1) {
        const type = action === 'refundElsewhere' ? 'refund' : 'refund_reversal';
        const found = await findPayments(parts, { ...input, ...namesAt(place), type }, CARD, PAYMENT_AT);
        expect(found.map(({ id: foundId }) => foundId)).toEqual([named[0]?.payment.id]);
        return named[0];
      }
      if (!PRESENTMENTS.has(action) && (byCode || !UPDATES.has(action))) return undefined;
      const expected = ownerOf(
        named.map(({ model }) => model),
        action,
      );
      const owner = named.find(({ model }) => model === expected) ?? begun(id);
      const [found, ...others] = await findFollowed(parts, { ...input, ...namesAt(place) }, CARD);
      expect(found === undefined || others.length > 0 ? id : found.id).toBe(owner.payment.id);
      return owner;
    };

    for (const [index, drawn] of steps.entries()) {
      const { place, action, isOwn } = drawn;
      const id = `event ${index}`;
      const own = isOwn ? await ownerFor(drawn, id) : undefined;
      const { payment: before, model, books } = own ?? all.get(`payment ${place}`) ?? begun(`payment ${place}`);
      const amount = action === 'winPart' ? Math.min(drawn.amount, model.disputes.at(-1)?.amount ?? drawn.amount) : drawn.amount;
      const event = eventOf(before, { action, amount }, id, own !== undefined || BEGINNING.has(action) ? namesAt(place) : {});
      if (event === undefined) continue;
      if (event.type === 'dispute_opened' && !canDispute(model, action === 'dispute' ? 1 : amount)) continue;
      if ((action === 'chargeBack' || action === 'arbitrate') && before.dispute === undefined) continue;
      if ((action === 'win' || action === 'winPart' || action === 'lose' || action === 'giveUp') && !canEnd(model, action)) continue;
      // The network knows of increases, of an authorization that is not booked yet.
      if (ASIDE.has(action) && action !== 'incrementAside' && (!isOfIncreases(before, event) || !model.open || model.atOnce)) continue;
      const payment = recordEvent(before, event);
      const isApproved = payment.events.at(-1)?.decision?.decline === undefined;
      if (event.type === 'authorization') expect(isApproved).toBe(model.undone || !(model.open || model.ended));
      const after = { payment, model: apply(model, action, amount, isApproved), books: carryOut(books, before, payment) };
      expectAgreement(after);
      all.set(payment.id, after);
    }
    // Their orders follow from their events once more.
    for (const { payment } of all.values()) expect(ordersOf(payment)).toBeDefined();
  };
  await fc.assert(fc.asyncProperty(naming, fc.array(step, { minLength: 3, maxLength: 20 }), run), { numRuns: scaled(10_000) });
});
