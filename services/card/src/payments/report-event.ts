import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { type Payment, sameCard } from '../domain/payment.ts';
import { type Program, withExpiry } from '../domain/program.ts';
import { paymentAt, presentmentOf } from '../domain/record-event.ts';
import type { EventClaim, EventClaimStore } from '../store/event-claims.ts';
import { awaitEffects, type Background } from './background.ts';
import type { Effects } from './carry-out-effects.ts';
import type { ReportInput } from './event-input.ts';
import type { ClaimedEvent, Preparation } from './prepare-event.ts';
import { claimPresentment } from './presentments.ts';
import type { EventRecorder } from './record-payment-event.ts';
import { mayBeOfSingleMessage, type Reported, type Suspense } from './suspense.ts';

export type ReportingParts = {
  preparation: Preparation;
  claims: EventClaimStore;
  record: EventRecorder;
  effects: Effects;
  suspense: Suspense;
  program: Program;
  background: Background['run'];
};

/** Records what has happened in the network. Nothing that has happened is rejected; bookings that cannot be made now are made later. */
export const createReporting = (parts: ReportingParts) => {
  const { preparation, claims, record, effects, suspense, program, background } = parts;

  /**
   * The payment that an event belongs to. A repeated presentment, under any transaction id, belongs to the payment of the first one, as a duplicate.
   * A repeated event stays where it was, and an event whose id was used for another content claims no presentment.
   * @returns the claim of the event, or of its first presentment: either may be in suspense
   * @throws CodedError IDEMPOTENCY_KEY_REUSED
   */
  const placeOf = async ({ claim, facts, event }: ClaimedEvent): Promise<Pick<EventClaim, 'paymentId' | 'suspended'>> => {
    const reference = presentmentOf(event);
    if (reference === undefined) return claim;
    const first = await claims.find(claim.id);
    if (first !== undefined && first.inputHash !== claim.inputHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    if (first !== undefined) return first;
    const { type, amount, currency } = event;
    const { paymentId, at } = claim;
    return (await claimPresentment(claims, { ...facts, type, amount, currency }, reference, { paymentId, at })).first;
  };

  const recorded = async (input: ReportInput, logger: Logger): Promise<Reported> => {
    const prepared = await preparation.prepare(input);
    const { claim, facts, event, payment: before } = prepared;
    if (before !== undefined && !sameCard(before, facts)) {
      throw new CodedError('VALIDATION_FAILED', { message: 'event.card_id: must be the card of the payment' });
    }
    const place = await placeOf(prepared);
    const { paymentId, suspended } = place.suspended === true ? place : await claims.claim({ ...claim, paymentId: place.paymentId });
    // Its first arrival, or its first presentment, could not be read, and this one can.
    if (suspended === true) return suspense.keep(input, 'unknown_rate', logger);
    const known = paymentId === facts.id ? (before ?? null) : undefined;
    const payment = await record({ ...facts, id: paymentId }, withExpiry(program, event, facts, before), known);
    const work = effects.run(payment, logger);
    background(work);
    await awaitEffects(work);
    if (mayBeOfSingleMessage(input)) await suspense.follow(input, logger);
    return { payment: paymentAt(payment, event.id) };
  };

  return {
    /**
     * Records an event that books nothing and carries its effects out, or returns what its first arrival returned.
     * @returns the payment as it was right after the event
     * @throws CodedError CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED, SERVICE_UNAVAILABLE
     */
    report: async (input: ReportInput, logger: Logger): Promise<Payment> => {
      const reported = await recorded(input, logger);
      if (!('payment' in reported)) throw new Error('a report that books nothing is in suspense');
      return reported.payment;
    },

    /**
     * The same for an event that may book money: if its card or its rate is not known, it is kept in suspense.
     * @throws CodedError IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED, SERVICE_UNAVAILABLE; CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED for one that books nothing
     */
    book: async (input: ReportInput, logger: Logger): Promise<Reported> => {
      try {
        return await recorded(input, logger);
      } catch (error) {
        const kind = await suspense.kindOf(input, error);
        if (kind === undefined) throw error;
        return suspense.keep(input, kind, logger);
      }
    },
  };
};

export type Reporting = ReturnType<typeof createReporting>;
