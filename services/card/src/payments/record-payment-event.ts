import { CodedError } from '@florin/rpc/errors';
import { billedAsBooked } from '../domain/approved-amount.ts';
import { raisedBy } from '../domain/exception.ts';
import { overTolerance } from '../domain/merchant-rules.ts';
import { newPayment } from '../domain/new-payment.ts';
import { eventOf, type Payment, type PaymentFacts, sameCard } from '../domain/payment.ts';
import type { PaymentEffect } from '../domain/payment-effect.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import { orderIdOf } from '../domain/payment-ids.ts';
import type { Program } from '../domain/program.ts';
import { recordEvent } from '../domain/record-event.ts';
import { billedAsPurchased } from '../domain/refund-billing.ts';
import type { CardholderStore } from '../store/cardholders.ts';
import type { PaymentStore } from '../store/payments.ts';

/** Events that others recorded on the payment in the meantime; each retry means that one of them has succeeded. */
const MAX_ATTEMPTS = 100;

/**
 * An event of another card's payment, or of another processor's. That payment is left alone: a request is declined, on a payment that is not
 * stored, whose effects release what the request may have held.
 * @throws CodedError VALIDATION_FAILED unless the event is a request
 */
const recordApart = (facts: PaymentFacts, { decision, ...event }: PaymentEvent): Payment => {
  if (decision === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'event.card_id: must be the card of the payment' });
  const heldUnknown = decision.decline === undefined || decision.heldUnknown === true;
  const declined = { decline: 'transaction_invalid', billing: 0n, amount: 0n, held: 0n, ...(heldUnknown ? { heldUnknown } : {}) } as const;
  return recordEvent(newPayment(facts), { ...event, decision: declined });
};

type RecorderParts = {
  payments: Pick<PaymentStore, 'find' | 'save'>;
  cardholders: Pick<CardholderStore, 'isErased'>;
  program: Pick<Program, 'clearingTolerance' | 'transitUpTo'>;
};

const MOVING: ReadonlySet<PaymentEffect['kind']> = new Set(['post', 'credit', 'debit']);

const addedTo = (before: Payment, after: Payment): readonly PaymentEffect[] => after.effects.slice(before.effects.length);

const movesMoney = (before: Payment, after: Payment): boolean => addedTo(before, after).some(({ kind }) => MOVING.has(kind));

/** The payment with orders to raise the exceptions of its latest event: they are stored with it, and so no kill loses one. */
const withExceptions = (before: Payment, after: Payment, isErased: boolean): Payment => {
  const { id: eventId = '', billing: amount = 0n } = after.events.at(-1) ?? {};
  const raised = raisedBy(before, after);
  if (isErased) raised.push({ kind: 'erased_person', amount });
  const orders = raised.map((one) => {
    const id = orderIdOf(after.id, eventId, `raise ${one.kind}`);
    return { id, kind: 'raise' as const, exception: one.kind, eventId, amount: one.amount };
  });
  return orders.length === 0 ? after : { ...after, effects: [...after.effects, ...orders] };
};

/**
 * Records an event on its payment, unless the payment has it. Of events that race, each is recorded on the result of the one before.
 * @param known the payment as the caller has just read it; `null` when it did not exist
 * @returns the payment with the event, whoever has recorded it
 * @throws CodedError SERVICE_UNAVAILABLE; VALIDATION_FAILED when the payment is another card's and the event is not a request
 */
export const createEventRecorder =
  ({ payments, cardholders, program }: RecorderParts) =>
  async (facts: PaymentFacts, event: PaymentEvent, known?: Payment | null): Promise<Payment> => {
    let current = known === undefined ? await payments.find(facts.id) : (known ?? undefined);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (current !== undefined && (!sameCard(current, facts) || current.processor !== facts.processor)) return recordApart(facts, event);
      if (current !== undefined && eventOf(current, event.id) !== undefined) return current;
      const before = current ?? newPayment(facts);
      const billed = billedAsPurchased(before, billedAsBooked(before, event));
      // Judged by what was recorded before, not by what its sender has found.
      const over = overTolerance(program, before, billed);
      const recorded = recordEvent(before, over === undefined ? billed : { ...billed, overTolerance: over });
      const isErased = movesMoney(before, recorded) && (await cardholders.isErased(facts.userId));
      const next = withExceptions(before, recorded, isErased);
      if (await payments.save(current, next)) return next;
      current = await payments.find(facts.id);
    }
    throw new CodedError('SERVICE_UNAVAILABLE', { message: 'too many concurrent events of one payment' });
  };

export type EventRecorder = ReturnType<typeof createEventRecorder>;
