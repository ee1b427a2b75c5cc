import { scaled } from '@florin/rpc/testing/scaled';
import fc from 'fast-check';
import { expect, it } from 'vitest';
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
  newModel,
  PROVISIONAL_PERCENT,
} from '../testing/payment-model.ts';
import { disputesOf, newlyDisputableOf } from './dispute.ts';
import { newPayment } from './new-payment.ts';
import { type Payment, usageOf } from './payment.ts';
import type { Decision, PaymentEvent, PaymentEventType } from './payment-event.ts';
import { holdIdOf } from './payment-ids.ts';
import { recordEvent, uncleared } from './record-event.ts';
import { ordersOf } from './replay-orders.ts';

const TYPES: Readonly<Partial<Record<Action, PaymentEventType>>> = {
  ...({ authorize: 'authorization', withdraw: 'authorization', fuel: 'authorization', increment: 'increment' } as const),
  ...({ askCredit: 'credit_request', verify: 'verification', inquire: 'balance_inquiry', declineElsewhere: 'decline' } as const),
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
  ...(['reverse', 'undo', 'undoIncrease', 'expire', 'acknowledge', 'verify', 'inquire'] as const),
  ...(['dispute', 'chargeBack', 'arbitrate', 'win', 'lose', 'giveUp'] as const),
]);

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

/** The answer to a request when nothing but the payment's state speaks against it. */
const decisionOf = (payment: Payment, type: PaymentEventType, amount: bigint, billing: bigint): Decision | undefined => {
  const isPending = payment.holdId !== undefined && payment.ended === undefined;
  if (type === 'decline' || (type === 'increment' && !isPending))
    return { decline: 'transaction_invalid', billing: 0n, amount: 0n, held: 0n };
  const held = type === 'authorization' ? uncleared(payment, billing) : billing;
  if (type === 'authorization' || type === 'increment') return { amount, billing, held, authorizationCode: '123456' };
  return type === 'credit_request' ? { amount, billing, held: 0n, authorizationCode: '123456' } : undefined;
};

/** An action as the event that reports it, decided if it is a request. */
const eventOf = (payment: Payment, action: Action, drawn: number, id: string): PaymentEvent | undefined => {
  const type = TYPES[action];
  const earlier = AGAIN.has(action) ? earlierOf(payment, action) : undefined;
  if (type === undefined || (AGAIN.has(action) && earlier === undefined)) return undefined;
  const repeats = action === 'presentAgain' || action === 'reverseAgain';
  const amount = action === 'fuel' ? BigInt(FUEL_UNIT) : ((repeats ? earlier?.amount : undefined) ?? BigInt(drawn));
  const billing = action === 'fuel' ? BigInt(FUEL_HOLD) : amount;
  const decision = decisionOf(payment, type, amount, billing);
  const network = {
    ...(type === 'clearing' ? { acquirerReference: earlier?.network?.acquirerReference ?? id } : {}),
    ...(action === 'reversePart' || action === 'reverseAgain' ? { traceNumber: earlier?.network?.traceNumber ?? id } : {}),
    ...(action === 'reverseAgain' ? { repeat: true as const } : {}),
  };
  const isOpening = type === 'dispute_opened';
  const disputed = action === 'dispute' ? newlyDisputableOf(payment) : amount;
  const opened = { id, reason: 'other', provisionalCredit: (disputed * BigInt(PROVISIONAL_PERCENT)) / 100n };
  return {
    ...{ id, type, at: PAYMENT_AT, network },
    ...(WITHOUT_AMOUNT.has(action) ? {} : { amount, currency: 'EUR', billing }),
    ...(action === 'fuel' ? { isEstimate: true as const } : {}),
    ...(action === 'withdraw' || action === 'standIn' ? { singleMessage: true } : {}),
    ...(action === 'clearPart' ? { moreExpected: true } : {}),
    ...(type === 'reversal' && !repeats && earlier !== undefined ? { undoneRequestId: earlier.id } : {}),
    ...(type.startsWith('dispute_') ? { dispute: isOpening ? opened : { id: payment.dispute?.id ?? '' } } : {}),
    ...(decision === undefined ? {} : { decision }),
  };
};

/** What the ledger has: its holds, and what it has paid the account on balance. */
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

const step = fc.record({ action: fc.constantFrom(...ACTIONS), amount: fc.integer({ min: 1, max: 3000 }) });

it('payment, limits and what is ordered from the ledger agree with the model after any order of events', { timeout: 240_000 }, () => {
  const run = (steps: readonly { action: Action; amount: number }[]): void => {
    let payment = newPayment(PAYMENT_FACTS);
    let model = newModel();
    let books: Books = { holds: new Map(), paid: 0n };
    for (const [index, { action, amount: drawn }] of steps.entries()) {
      const amount = action === 'winPart' ? Math.min(drawn, model.disputes.at(-1)?.amount ?? drawn) : drawn;
      const event = eventOf(payment, action, amount, String(index));
      if (event === undefined) continue;
      if (event.type === 'dispute_opened' && !canDispute(model, action === 'dispute' ? 1 : amount)) continue;
      if ((action === 'chargeBack' || action === 'arbitrate') && payment.dispute === undefined) continue;
      if ((action === 'win' || action === 'winPart' || action === 'lose' || action === 'giveUp') && !canEnd(model, action)) continue;
      const before = payment;
      payment = recordEvent(before, event);
      books = carryOut(books, before, payment);
      const decision = payment.events.at(-1)?.decision;
      model = apply(model, action, amount, decision?.decline === undefined);
      const credited = sum(disputesOf(payment).map((dispute) => dispute.credited));
      const { held, cleared, refunded, refundedElsewhere = 0n, pendingCredit } = payment;
      expect([held, cleared, refunded, refundedElsewhere, pendingCredit, credited].map(Number)).toEqual([
        ...[model.held, model.cleared, model.refunded, model.elsewhere, model.announced, disputeCredit(model)],
      ]);
      expect(books.paid).toBe(refunded + credited - cleared);
      expect(sum(books.holds.values())).toBe(held);
      expect(sum((payment.usages ?? []).map((usage) => usage.amount))).toBe(usageOf(payment));
    }
    // Its orders follow from its events once more.
    expect(ordersOf(payment)).toBeDefined();
  };
  fc.assert(fc.property(fc.array(step, { minLength: 3, maxLength: 16 }), run), { numRuns: scaled(10_000) });
});
