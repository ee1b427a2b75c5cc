import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { pause } from '@florin/rpc/time';
import type { AuthenticationsClient } from '../clients/authentications.ts';
import { checkRequest, needsAuthentication } from '../domain/check-request.ts';
import type { DeclineCode } from '../domain/decline-codes.ts';
import { approvedIn, authenticationOf, decidedRequests, eventOf, type Payment } from '../domain/payment.ts';
import type { Decision, PaymentEvent } from '../domain/payment-event.ts';
import { type Program, withExpiry } from '../domain/program.ts';
import { paymentAt, uncleared } from '../domain/record-event.ts';
import type { EventClaimStore } from '../store/event-claims.ts';
import type { PaymentStore } from '../store/payments.ts';
import type { VerdictSource } from './ask-decider.ts';
import type { Background } from './background.ts';
import type { Effects } from './carry-out-effects.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import type { RequestInput } from './event-input.ts';
import type { Preparation, PreparedEvent } from './prepare-event.ts';
import type { EventRecorder } from './record-payment-event.ts';
import type { LimitReservations } from './reservations.ts';
import type { HoldTaking } from './take-hold.ts';

export type DecidingParts = {
  prepare: Preparation;
  claims: EventClaimStore;
  payments: PaymentStore;
  reservations: LimitReservations;
  takeHold: HoldTaking;
  askDecider: VerdictSource;
  authentications: AuthenticationsClient;
  record: EventRecorder;
  effects: Effects;
  program: Program;
  /** Time within which a request is decided, in milliseconds. */
  deadlineMs: number;
  background: Background['run'];
};

/** Time that is left for recording the decision. */
const RECORDING_MS = 200;

/** Pause between two looks at a request that another process is deciding. */
const LOOK_MS = 40;

const DECLINED = { billing: 0n, amount: 0n, held: 0n } as const;
const decline = (code: DeclineCode): Decision => ({ decline: code, ...DECLINED });

/** Whether the request takes money. */
const takesMoney = ({ type }: PaymentEvent): boolean => type === 'authorization' || type === 'increment';

/** The part of the billed amount that is paid out in cash. */
const cashBackOf = ({ billing = 0n, amount = 0n }: PaymentEvent, { cashBack = 0n }: RequestInput): bigint =>
  amount === 0n ? 0n : (billing * cashBack) / amount;

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
  const { prepare, claims, payments, reservations, takeHold, askDecider, authentications, record, effects, program, background } = parts;

  /**
   * Uses the authentication up that a request presents. An increment has to be covered together with what was approved before, by an authentication of
   * its own or by that of its payment.
   */
  const checkAuthentication = async (
    { event, facts, payment }: PreparedEvent,
    increased: Payment | undefined,
    deadline: Deadline,
  ): Promise<DeclineCode | undefined> => {
    const { challengeId = increased && authenticationOf(increased), amount, currency } = event;
    if (challengeId === undefined || amount === undefined || currency === undefined) return undefined;
    const before = increased === undefined ? 0n : approvedIn(increased, currency);
    if (before === undefined) return 'authentication_required';
    const merchantId = (increased ?? facts).merchant?.id ?? '';
    const use = { challengeId, paymentId: facts.id, requestId: event.id, amount, currency };
    const decided = { approvedBefore: before, decidedRequestIds: payment === undefined ? [] : decidedRequests(payment) };
    const presented = { ...use, ...decided, cardId: facts.cardId, merchantId };
    if (await deadline.bound(authentications.consume(presented, deadline.remainingMs()))) return undefined;
    return event.challengeId === undefined ? 'authentication_required' : 'authentication_invalid';
  };

  /** Everything up to the hold, which may fail without a trace at the ledger. */
  const preliminary = async (prepared: PreparedEvent, input: RequestInput, payment: Payment | undefined, deadline: Deadline) => {
    const { card, event, settings, now } = prepared;
    const { type } = input;
    const increased = type === 'increment' ? payment : undefined;
    const request = {
      type,
      merchant: input.merchant,
      entryMode: input.entryMode,
      atm: input.atm === true,
      billing: event.billing ?? 0n,
      cashBack: cashBackOf(event, input),
      checks: input.checks ?? {},
      authenticated: input.authentication !== undefined || (increased !== undefined && authenticationOf(increased) !== undefined),
    };
    const early = checkRequest(request, { card, payment, controls: settings.controls, program, now });
    if (early !== undefined || !takesMoney(event)) return early;
    const presents = event.challengeId !== undefined || (increased !== undefined && needsAuthentication(program, request, increased));
    const unauthenticated = presents ? await checkAuthentication(prepared, increased, deadline) : undefined;
    if (unauthenticated !== undefined) return unauthenticated;
    const counted = type === 'authorization' && payment !== undefined ? uncleared(payment, event.billing ?? 0n) : (event.billing ?? 0n);
    const reserved = reservations.reserve(prepared, { amount: counted, unauthenticated: !presents });
    return (await deadline.bound(reserved)) ?? askDecider(prepared, input, deadline);
  };

  const decideMoney = async (
    prepared: PreparedEvent,
    input: RequestInput,
    payment: Payment | undefined,
    deadline: Deadline,
    logger: Logger,
  ): Promise<Decision> => {
    const failed = (err: unknown, heldUnknown: boolean): Decision => {
      logger.warn({ err, paymentId: prepared.facts.id }, 'deciding a payment failed');
      const late = deadline.remainingMs() === 0 || (err instanceof CodedError && err.code === 'UPSTREAM_TIMEOUT');
      return { ...decline(late ? 'timed_out' : 'system_error'), ...(heldUnknown ? { heldUnknown } : {}) };
    };
    try {
      const early = await preliminary(prepared, input, payment, deadline);
      if (early !== undefined) return decline(early);
    } catch (err) {
      return failed(err, false);
    }
    if (!takesMoney(prepared.event)) return { ...DECLINED, authorizationCode: takeHold.newAuthorizationCode() };
    if (deadline.remainingMs() === 0) return decline('timed_out');
    try {
      return await takeHold.take(prepared, payment, { partial: input.partialApproval === true, deadline });
    } catch (err) {
      return failed(err, true);
    }
  };

  /** What follows a decision, outside of the time that the network waits. */
  const followUp = (payment: Payment, event: PaymentEvent, logger: Logger): void => {
    const approved = event.decision !== undefined && event.decision.decline === undefined;
    if (takesMoney(event) && approved) reservations.settleLater(payment);
    const release = takesMoney(event) && !approved ? reservations.release(payment, event.id) : Promise.resolve();
    background(Promise.all([release, payment.effects.length > 0 ? effects.run(payment, logger) : undefined]));
  };

  /** The decision of the process that was first; past the deadline that process is gone. */
  const awaitDecision = async ({ claim, facts, event }: PreparedEvent, deadline: Deadline, logger: Logger): Promise<Payment> => {
    for (;;) {
      const payment = await payments.find(claim.paymentId);
      if (payment !== undefined && payment.cardId !== facts.cardId) {
        return record({ ...facts, id: claim.paymentId }, { ...event, decision: decline('transaction_invalid') }, payment);
      }
      if (payment !== undefined && eventOf(payment, event.id) !== undefined) return payment;
      if (deadline.remainingMs() === 0) break;
      await pause(LOOK_MS);
    }
    const ended = await record({ ...facts, id: claim.paymentId }, abandoned(event));
    followUp(ended, eventOf(ended, event.id) ?? event, logger);
    return ended;
  };

  /** Decides a request that this process has claimed. Its record and what follows from it go on when the caller no longer waits. */
  const decideClaimed = async (
    prepared: PreparedEvent,
    input: RequestInput,
    known: Payment | undefined,
    { decision: deadline, answer }: { decision: Deadline; answer: Deadline },
    logger: Logger,
  ): Promise<Payment> => {
    const { facts, event } = prepared;
    const decision = await decideMoney(prepared, input, known, deadline, logger);
    const recorded = record(facts, { ...event, decision }, known ?? null).then((payment) => {
      followUp(payment, eventOf(payment, event.id) ?? event, logger);
      return payment;
    });
    background(recorded);
    return recordedInTime(answer, recorded);
  };

  return {
    /**
     * Decides a request, or returns the decision of its first arrival.
     * @returns the payment as it was right after the decision, and the decided event
     * @throws CodedError CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED, SERVICE_UNAVAILABLE,
     * also when the request is not known to be on record within the deadline: a repeat finds out
     */
    decide: async (input: RequestInput, logger: Logger): Promise<{ payment: Payment; event: PaymentEvent & { decision: Decision } }> => {
      const deadline = createDeadline(parts.deadlineMs - RECORDING_MS);
      const answer = createDeadline(parts.deadlineMs);
      const read = await recordedInTime(deadline, prepare(input));
      const { facts, payment: known } = read;
      const event = withExpiry(program, read.event, facts, known);
      const prepared = { ...read, event };
      const claimed = await recordedInTime(deadline, claims.claim({ ...read.claim, request: { facts, event } }));
      const payment = claimed.repeated
        ? await awaitDecision({ ...prepared, claim: claimed }, answer, logger)
        : await decideClaimed(prepared, input, known, { decision: deadline, answer }, logger);
      const decided = eventOf(payment, event.id);
      if (decided?.decision === undefined) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return { payment: paymentAt(payment, event.id), event: { ...decided, decision: decided.decision } };
    },
  };
};

export type Deciding = ReturnType<typeof createDeciding>;
