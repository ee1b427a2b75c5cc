import { type CodedError, type ErrorCode, toCodedError } from '@florin/rpc/errors';
import { type AuditTrail, createRefusalCount } from '@florin/rpc/server';

/** The audit record before an operator reads or does something. */
export type Recorded = {
  /** `operator:` and the operator's id, or `command-line`. */
  actor: string;
  /** For example `people.read`. */
  operation: string;
  reason: string;
  requestId: string;
  /** The subjects, by the names of ids: `user_id`, `card_id`, … */
  subjects: Readonly<Record<string, string>>;
  /** The search text; only a keyed hash of it is stored. */
  request: unknown;
};

/**
 * Records a call, does the work, and records its outcome before it is answered. A call that cannot be recorded is not made; what was done and whose outcome
 * cannot be recorded is not answered, and stays in the log as a call without an outcome.
 * @throws the store's error; the error of the work
 */
export type RecordCall = <T>(call: Recorded, work: () => Promise<T>) => Promise<T>;

export const createRecorder =
  (trail: Pick<AuditTrail, 'begin'>): RecordCall =>
  async ({ operation, request, ...call }, work) => {
    const recordOutcome = await trail.begin({
      ...call,
      rpc: operation,
      request: new TextEncoder().encode(JSON.stringify(request ?? null)),
    });
    let result: Awaited<ReturnType<typeof work>>;
    try {
      result = await work();
    } catch (thrown) {
      await recordOutcome(toCodedError(thrown).code);
      throw thrown;
    }
    await recordOutcome('OK');
    return result;
  };

/** An attempt that may be refused: who makes it, as far as that is known, and at what. */
export type Attempt = { actor?: string; what: string; subjects?: Readonly<Record<string, string>> };

/** Where an attempt comes from. */
export type Origin = { requestId: string; address: string };

/** Errors by which somebody is refused. The others are about the request, or about this process. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'UNAUTHORIZED',
  'FORBIDDEN',
  'REAUTHENTICATION_REQUIRED',
  'NOT_FOUND',
  'INVITATION_WAITS',
  'PROVIDER_NOT_LINKED',
]);

/** Refusals that a process records one by one: those of all strangers in a minute, and those of an operator. Without an end, they could fill the log. */
const FIRST_PER_MINUTE = 60;

/** Does work that has no record of its own before it is allowed, and records that it was refused. */
export type RecordRefusal = <T>(from: Origin, attempt: Attempt, work: () => Promise<T>) => Promise<T>;

/** @param now milliseconds since some moment */
export const createRefusalRecorder = (record: RecordCall, now: () => number): RecordRefusal => {
  const countOf = createRefusalCount({ first: FIRST_PER_MINUTE, windowMs: 60_000, now });
  return async ({ requestId, address }, { actor = 'unknown', what, subjects = {} }, work) => {
    let refusal: CodedError;
    try {
      return await work();
    } catch (thrown) {
      refusal = toCodedError(thrown);
      if (!REFUSALS.has(refusal.code)) throw thrown;
    }
    const count = countOf(actor);
    if (count === undefined) throw refusal;
    const reason = count > FIRST_PER_MINUTE ? `${what}; refusal ${count} of this minute, not all are recorded` : what;
    const call = { actor, operation: 'session.refused', reason, requestId, subjects: { ...subjects, address }, request: null };
    return record(call, () => Promise.reject(refusal));
  };
};

/** Name of an operator in the audit log and at the services. */
export const actorOf = (operatorId: string): string => `operator:${operatorId}`;

/** Id of the operator whom a name in the audit log or at the services means; other names as they are. Some services put the name of the caller's process before it. */
export const operatorIdOf = (actor: string): string => actor.replace(/^(?:back-office:)?operator:/, '');
