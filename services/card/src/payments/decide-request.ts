import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { pause } from '@florin/rpc/time';
import type { AuthenticationsClient } from '../clients/authentications.ts';
import type { DeclineCode } from '../domain/decline-codes.ts';
import { eventOf, type Payment, repeatedRequest, sameCard } from '../domain/payment.ts';
import { type Decision, type PaymentEvent, takesMoney } from '../domain/payment-event.ts';
import { type Program, withExpiry } from '../domain/program.ts';
import { paymentAt } from '../domain/record-event.ts';
import type { EventClaim, EventClaimStore } from '../store/event-claims.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { Background } from './background.ts';
import type { Effects } from './carry-out-effects.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import type { RequestInput } from './event-input.ts';
import type { Judging } from './judge-request.ts';
import type { ClaimedEvent, Preparation, PreparedEvent, ReadingOptions } from './prepare-event.ts';
import type { EventRecorder } from './record-payment-event.ts';
import type { LimitReservations } from './reservations.ts';
import type { HoldTaking } from './take-hold.ts';

export type DecidingParts = {
  preparation: Preparation;
  claims: EventClaimStore;
  payments: PaymentStore;
  reservations: LimitReservations;
  takeHold: HoldTaking;
  judge: Judging;
  authentications: Pick<AuthenticationsClient, 'find'>;
  record: EventRecorder;
  effects: Effects;
  program: Program;
  /** Time within which a request is decided, in milliseconds. */
  deadlineMs: number;
  background: Background['run'];
};

/** A request with its decision, and the payment as it was right after that. */
export type DecidedRequest = { payment: Payment; event: PaymentEvent & { decision: Decision } };

/** Time that is left for recording the decision. */
const RECORDING_MS = 200;

/** Pause between two looks at a request that another process is deciding. */
const LOOK_MS = 40;

const DECLINED = { billing: 0n, amount: 0n, held: 0n } as const;
const decline = (code: DeclineCode): Decision => ({ decline: code, ...DECLINED });

/** Waits for what precedes the decision. */
const recordedInTime = async <T>(deadline: Deadline, work: Promise<T>): Promise<T> => {
  try {
    return await deadline.bound(work);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'UPSTREAM_TIMEOUT') throw new CodedError('SERVICE_UNAVAILABLE', { cause: error });
    throw error;
  }
};

/** A request whose decider is gone: it is declined, and whatever it may have held yet is released. */
export const abandoned = (event: PaymentEvent): PaymentEvent => ({
  ...event,
  decision: { ...decline('timed_out'), ...(takesMoney(event) ? { heldUnknown: true } : {}) },
});

/**
 * Decides requests of the network, in the documented order: duplicate or tombstone, card, verdicts on its secrets, program rules, controls,
 * authentication, limits, external decider, ledger. The decision is recorded on the payment before it is returned; of several processes that
 * decide the same request the first to record it prevails.
 */
export const createDeciding = (parts: DecidingParts) => {
  const { preparation, claims, payments, reservations, takeHold, judge, record, effects, program, background } = parts;

  const failedWith = (err: unknown, { facts }: PreparedEvent, deadline: Deadline, logger: Logger): Decision => {
    logger.warn({ err, paymentId: facts.id }, 'deciding a payment failed');
    const late = deadline.remainingMs() === 0 || (err instanceof CodedError && err.code === 'UPSTREAM_TIMEOUT');
    return decline(late ? 'timed_out' : 'system_error');
  };

  /** Reads what a request is judged by, and what it is then on record with. */
  const read = async (input: RequestInput, options?: ReadingOptions): Promise<PreparedEvent> => {
    const found = await preparation.prepare(input, options);
    return { ...found, event: withExpiry(program, found.event, found.facts, found.payment) };
  };

  /** Judges a request by the settings that this process remembers, and again by those that are stored where they may make a difference. */
  const judgeRead = async (
    prepared: PreparedEvent,
    input: RequestInput,
    deadline: Deadline,
  ): Promise<{ prepared: PreparedEvent; early: DeclineCode | undefined }> => {
    const early = await judge(prepared, input, deadline);
    if (early !== 'outdated') return { prepared, early };
    return judgeRead(await deadline.bound(read(input)), input, deadline);
  };

  const holdMoney = async (prepared: PreparedEvent, input: RequestInput, deadline: Deadline, logger: Logger): Promise<Decision> => {
    if (deadline.remainingMs() === 0) return decline('timed_out');
    try {
      return await takeHold.take(prepared, prepared.payment, {
        partial: input.partialApproval === true && prepared.event.isEstimate !== true,
        deadline,
      });
    } catch (err) {
      return { ...failedWith(err, prepared, deadline, logger), heldUnknown: true };
    }
  };

  const decideRead = async (
    first: PreparedEvent,
    input: RequestInput,
    deadline: Deadline,
    logger: Logger,
  ): Promise<{ prepared: PreparedEvent; decision: Decision }> => {
    try {
      const { prepared, early } = await judgeRead(first, input, deadline);
      if (early !== undefined) return { prepared, decision: decline(early) };
      if (takesMoney(prepared.event)) return { prepared, decision: await holdMoney(prepared, input, deadline, logger) };
      return { prepared, decision: await deadline.bound(takeHold.check(prepared)) };
    } catch (err) {
      return { prepared: first, decision: failedWith(err, first, deadline, logger) };
    }
  };

  /** The work after a decision, outside of the time that the network waits. @returns when what the request has reserved and does not need is given back */
  const followUp = (payment: Payment, event: PaymentEvent, logger: Logger): Promise<void> => {
    const approved = event.decision !== undefined && event.decision.decline === undefined;
    if (takesMoney(event) && approved) reservations.settleLater(payment);
    const release = takesMoney(event) && !approved ? reservations.release(payment, event.id) : Promise.resolve();
    background(Promise.all([release, payment.effects.length > 0 ? effects.run(payment, logger) : undefined]));
    return release;
  };

  /** A card for single use may be tried again right after a decline: the answer waits until the use is given back, as long as there is time. */
  const beforeAnswer = async (released: Promise<void>, { settings }: PreparedEvent, deadline: Deadline): Promise<void> => {
    if (settings.controls.singleUseFrom !== undefined) await deadline.bound(released).catch(() => undefined);
  };

  const claim = ({ claim: content, facts, event }: ClaimedEvent): Promise<EventClaim & { repeated: boolean }> =>
    claims.claim({ ...content, request: { facts, event: withExpiry(program, event, facts, undefined) } });

  /** A request with the challenge that it names otherwise than by its id. One that is not found is none of ours. */
  const withChallenge = async (input: RequestInput, deadline: Deadline): Promise<RequestInput> => {
    const { cardId, authentication } = input;
    if (authentication?.names === undefined) return input;
    const challengeId = await parts.authentications.find({ cardId, ...authentication.names }, deadline.remainingMs());
    return { ...input, authentication: { ...authentication, challengeId } };
  };

  /** Reads what a request is judged by and claims the request: at the same time, if the claim does not depend on what is read. */
  const readAndClaim = async (input: RequestInput) => {
    const foreseen = await preparation.foresee(input);
    const [prepared, early] = await Promise.all([
      read(input, { fromMemory: takesMoney(input) }),
      foreseen === undefined ? undefined : claim(foreseen),
    ]);
    return { prepared, claimed: early ?? (await claim(prepared)) };
  };

  /** The decision of the process that was first; past the deadline that process is gone. */
  const awaitDecision = async (prepared: PreparedEvent, deadline: Deadline, logger: Logger): Promise<Payment> => {
    const { claim, facts, event } = prepared;
    for (;;) {
      const payment = await payments.find(claim.paymentId);
      if (payment !== undefined && !sameCard(payment, facts)) {
        return record({ ...facts, id: claim.paymentId }, { ...event, decision: decline('transaction_invalid') }, payment);
      }
      if (payment !== undefined && eventOf(payment, event.id) !== undefined) return payment;
      if (deadline.remainingMs() === 0) break;
      await pause(LOOK_MS);
    }
    const ended = await record({ ...facts, id: claim.paymentId }, abandoned(event));
    await beforeAnswer(followUp(ended, eventOf(ended, event.id) ?? event, logger), prepared, deadline);
    return ended;
  };

  /** Decides a request that this process has claimed. Its record and what follows from it go on when the caller no longer waits. */
  const decideClaimed = async (
    first: PreparedEvent,
    input: RequestInput,
    { decision: deadline, answer }: { decision: Deadline; answer: Deadline },
    logger: Logger,
  ): Promise<Payment> => {
    const { prepared, decision } = await decideRead(first, input, deadline, logger);
    const { facts, event } = prepared;
    const recorded = record(facts, { ...event, decision }, prepared.payment ?? null).then((payment) => ({
      payment,
      released: followUp(payment, eventOf(payment, event.id) ?? event, logger),
    }));
    background(recorded);
    const { payment, released } = await recordedInTime(answer, recorded);
    await beforeAnswer(released, prepared, answer);
    return payment;
  };

  const answered = (payment: Payment, event: PaymentEvent | undefined): DecidedRequest | undefined =>
    event?.decision && { payment: paymentAt(payment, event.id), event: { ...event, decision: event.decision } };

  return {
    /**
     * Decides a request, or returns the decision of its first arrival.
     * @returns the payment as it was right after the decision, and the decided event
     * @throws CodedError CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED, SERVICE_UNAVAILABLE,
     * also when the request is not known to be on record within the deadline: a repeat finds out
     */
    decide: async (stated: RequestInput, logger: Logger): Promise<DecidedRequest> => {
      const deadline = createDeadline(parts.deadlineMs - RECORDING_MS);
      const recording = createDeadline(parts.deadlineMs);
      const input = await recordedInTime(deadline, withChallenge(stated, deadline));
      const { prepared, claimed } = await recordedInTime(deadline, readAndClaim(input));
      const { event, facts } = prepared;
      const known = prepared.payment !== undefined && sameCard(prepared.payment, facts) ? prepared.payment : undefined;
      const before = known && answered(known, repeatedRequest(known, event));
      if (before !== undefined) return before;
      const payment = claimed.repeated
        ? await awaitDecision({ ...prepared, claim: claimed }, recording, logger)
        : await decideClaimed(prepared, input, { decision: deadline, answer: recording }, logger);
      const decided = eventOf(payment, event.id);
      // The request that it repeats may have been decided at the same time.
      const first = decided?.decision?.decline === 'transaction_invalid' ? repeatedRequest(payment, event) : undefined;
      const answer = answered(payment, first ?? decided);
      if (answer === undefined) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return answer;
    },
  };
};

export type Deciding = ReturnType<typeof createDeciding>;
