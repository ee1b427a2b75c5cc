import { type DescMessage, type DescMethod, type DescMethodUnary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import type { Caller, UserCaller } from '../auth/index.ts';
import { rulesOf } from '../contract/index.ts';
import { CodedError, type ErrorCode, toCodedError } from '../errors/index.ts';
import { steadyNow } from '../steady-clock.ts';
import type { Call } from './method.ts';

/** A call by a person of the operator, or a user's use of a secret, as it is recorded. */
export type AuditedCall = {
  /** Name of the person's client, or `user:` and the user's id. */
  actor: string;
  /** Full name of the RPC. */
  rpc: string;
  reason: string;
  requestId: string;
  /** Whom or what the call is about: values of the request's fields that its contract names, by their names. */
  subjects: Readonly<Record<string, string>>;
  /** Keyed hash (HMAC-SHA-256) of the request, hex. */
  requestHash: string;
};

/** A call to record, with the request's bytes in place of their hash. */
export type CallToRecord = Omit<AuditedCall, 'requestHash'> & { request: Uint8Array };

/** Where the calls of people are recorded. */
export type AuditTrail = {
  /**
   * Records a call before it is executed.
   * @returns a function that records the outcome; it is called before the response is sent
   * @throws the store's error; a call that cannot be recorded is not executed
   */
  begin: (call: CallToRecord) => Promise<(outcome: 'OK' | ErrorCode) => Promise<void>>;
  /**
   * Records a call together with its outcome, for a call that reveals nothing before it is recorded.
   * @throws the store's error; the result of a call that cannot be recorded is not returned
   */
  record: (call: CallToRecord, outcome: 'OK' | ErrorCode) => Promise<void>;
};

/** Header with the reason of a call by a person: percent-encoded UTF-8 (RFC 3986), 3 to 500 characters. */
export const REASON_HEADER = 'x-florin-reason';

const MIN_REASON = 3;
const MAX_REASON = 500;

const readReason = (header: string | null): string => {
  let reason: string;
  try {
    reason = decodeURIComponent(header ?? '').trim();
  } catch {
    throw new CodedError('VALIDATION_FAILED', { message: `${REASON_HEADER}: must be percent-encoded UTF-8` });
  }
  if (reason === '') throw new CodedError('REASON_REQUIRED', { message: `the header ${REASON_HEADER} must give a reason for the call` });
  if (reason.length < MIN_REASON || reason.length > MAX_REASON || /\p{Cc}/u.test(reason)) {
    throw new CodedError('VALIDATION_FAILED', { message: `${REASON_HEADER}: must be ${MIN_REASON} to ${MAX_REASON} printable characters` });
  }
  return reason;
};

/** An identifier is short and has no spaces; anything else in such a field could be personal data. */
const IDENTIFIER = /^[A-Za-z0-9._:/-]{1,128}$/;

const subjectsOf = (method: DescMethod, request: object): Record<string, string> => {
  const values = request as Record<string, unknown>;
  const subjects: Record<string, string> = {};
  const named = rulesOf(method)?.subjects;
  for (const { name, localName, oneof } of method.input.fields) {
    if (named?.has(name) !== true) continue;
    const chosen = oneof === undefined ? undefined : (values[oneof.localName] as { case?: string; value?: unknown } | undefined);
    const value = oneof === undefined ? values[localName] : chosen?.case === localName ? chosen.value : undefined;
    if (typeof value === 'string' && IDENTIFIER.test(value)) subjects[name] = value;
  }
  return subjects;
};

/** The full name of an RPC. */
export const rpcOf = ({ parent, name }: DescMethod): string => `${parent.typeName}/${name}`;

/**
 * Counts refusals in windows of time, so that nobody fills a log by being refused: of a key the first ones are recorded, and then each whose number is a power of two, which
 * tells how many there were.
 * @param now milliseconds since some moment
 * @returns a function that counts a refusal, and returns its number in the window when it is to be recorded
 */
export const createRefusalCount = ({
  first,
  windowMs,
  now,
}: {
  first: number;
  windowMs: number;
  now: () => number;
}): ((key: string) => number | undefined) => {
  const counts = new Map<string, number>();
  let window = 0;
  return (key) => {
    const current = Math.floor(now() / windowMs);
    if (current !== window) counts.clear();
    window = current;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= first || Number.isInteger(Math.log2(count)) ? count : undefined;
  };
};

/** Refusals of one person at one RPC that a process records in an hour before it leaves some out: attempts at one RPC do not hide those at another. */
const FIRST_PER_HOUR = 20;
const HOUR_MS = 3_600_000;

/**
 * Records that a person was refused before the call was read. Subjects are left out, because nobody has checked them; in place of the reason is the number of the refusal
 * once some are left out. Refused calls of processes and users are not recorded.
 * @throws the store's error, which the caller gets instead of the refusal
 */
export type RecordRefusal = (call: { caller: Caller; rpc: string; requestId: string }, code: ErrorCode) => Promise<void>;

export const createRefusalRecorder = (trail: AuditTrail | undefined, now: () => number = steadyNow): RecordRefusal => {
  const countOf = createRefusalCount({ first: FIRST_PER_HOUR, windowMs: HOUR_MS, now });
  return async ({ caller, rpc, requestId }, code) => {
    if (trail === undefined || caller.kind !== 'service' || caller.person !== true) return;
    const count = countOf(`${caller.name} ${rpc}`);
    if (count === undefined) return;
    const reason = count > FIRST_PER_HOUR ? `refusal ${count} of this hour; not all are recorded` : '';
    await trail.record({ actor: caller.name, rpc, reason, requestId, subjects: {}, request: new Uint8Array() }, code);
  };
};

const notAudited = async (): Promise<void> => undefined;

/**
 * Records a call when its caller is a person. Calls by processes are not recorded.
 * @returns a function that records the outcome
 * @throws CodedError REASON_REQUIRED, VALIDATION_FAILED; FORBIDDEN when the service has no audit log; the store's error
 */
export const beginAudit = async (
  { audit: trail, recordRefusal }: { audit?: AuditTrail | undefined; recordRefusal: RecordRefusal },
  method: DescMethod,
  request: MessageShape<DescMessage>,
  { caller, header, requestId }: Call<Caller | undefined>,
): Promise<(outcome: 'OK' | ErrorCode) => Promise<void>> => {
  if (caller?.kind !== 'service' || caller.person !== true) return notAudited;
  if (trail === undefined) throw new CodedError('FORBIDDEN', { message: 'this service has no audit log' });
  const rpc = rpcOf(method);
  let reason: string;
  try {
    reason = readReason(header(REASON_HEADER));
  } catch (error) {
    await recordRefusal({ caller, rpc, requestId }, toCodedError(error).code);
    throw error;
  }
  return trail.begin({
    actor: caller.name,
    rpc,
    reason,
    requestId,
    subjects: subjectsOf(method, request),
    request: toBinary(method.input, request),
  });
};

/** A user's use of a secret. `reason` says why the user may use it. */
export type UserCall<I extends DescMessage> = { method: DescMethodUnary<I>; request: MessageShape<I>; reason: string };

const toUserRecord = <I extends DescMessage>(
  { method, request, reason }: UserCall<I>,
  { caller, requestId }: Pick<Call<UserCaller>, 'caller' | 'requestId'>,
): CallToRecord => ({
  actor: `user:${caller.userId}`,
  rpc: rpcOf(method),
  reason,
  requestId,
  subjects: subjectsOf(method, request),
  request: toBinary(method.input, request),
});

/**
 * Records that a user changes a secret, and the outcome, around the work that changes it. Calls of users are not recorded otherwise.
 * @throws the store's error, without doing the work; the error of the work
 */
export const recordUserCall = async <I extends DescMessage, T>(
  trail: AuditTrail,
  userCall: UserCall<I>,
  call: Pick<Call<UserCaller>, 'caller' | 'requestId'>,
  work: () => Promise<T>,
): Promise<T> => {
  const recordOutcome = await trail.begin(toUserRecord(userCall, call));
  let result: T;
  try {
    result = await work();
  } catch (thrown) {
    await recordOutcome(toCodedError(thrown).code);
    throw thrown;
  }
  await recordOutcome('OK');
  return result;
};

/**
 * Records that a secret is shown to a user. Called by the winner of a single use, before the secret leaves the service, so that attempts
 * that show nothing do not fill the log.
 * @throws the store's error; the secret must not be returned then
 */
export const recordReveal = <I extends DescMessage>(
  trail: AuditTrail,
  userCall: UserCall<I>,
  call: Pick<Call<UserCaller>, 'caller' | 'requestId'>,
): Promise<void> => trail.record(toUserRecord(userCall, call), 'OK');
