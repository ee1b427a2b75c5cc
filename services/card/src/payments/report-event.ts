import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { within } from '@florin/rpc/time';
import { overTolerance } from '../domain/merchant-rules.ts';
import { type Payment, sameCard } from '../domain/payment.ts';
import { type Program, withExpiry } from '../domain/program.ts';
import { paymentAt } from '../domain/record-event.ts';
import type { EventClaimStore } from '../store/event-claims.ts';
import type { Background } from './background.ts';
import type { Effects } from './carry-out-effects.ts';
import type { ReportInput } from './event-input.ts';
import type { Preparation } from './prepare-event.ts';
import type { EventRecorder } from './record-payment-event.ts';

export type ReportingParts = {
  preparation: Preparation;
  claims: EventClaimStore;
  record: EventRecorder;
  effects: Effects;
  program: Program;
  background: Background['run'];
};

/** Longest wait for the effects of an event. The event stands without them; the sweeper carries out what is late. */
const EFFECTS_MS = 2500;

/** Waits for effects, as long as a caller can wait. */
export const awaitEffects = async (work: Promise<unknown>): Promise<void> => {
  await within(EFFECTS_MS, work).catch(() => undefined);
};

/** Records what has happened in the network. Nothing that has happened is rejected; bookings that cannot be made now are made later. */
export const createReporting = ({ preparation, claims, record, effects, program, background }: ReportingParts) => ({
  /**
   * Records an event and carries its effects out, or returns what its first arrival returned.
   * @returns the payment as it was right after the event
   * @throws CodedError CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED, SERVICE_UNAVAILABLE
   */
  report: async (input: ReportInput, logger: Logger): Promise<Payment> => {
    const { claim, facts, event, payment: before } = await preparation.prepare(input);
    if (before !== undefined && !sameCard(before, facts)) {
      throw new CodedError('VALIDATION_FAILED', { message: 'event.card_id: must be the card of the payment' });
    }
    const { paymentId } = await claims.claim(claim);
    const known = paymentId === facts.id ? (before ?? null) : undefined;
    const over = overTolerance(program, before, event);
    const judged = over === undefined ? event : { ...event, overTolerance: over };
    const payment = await record({ ...facts, id: paymentId }, withExpiry(program, judged, facts, before), known);
    const work = effects.run(payment, logger);
    background(work);
    await awaitEffects(work);
    return paymentAt(payment, event.id);
  },
});

export type Reporting = ReturnType<typeof createReporting>;
