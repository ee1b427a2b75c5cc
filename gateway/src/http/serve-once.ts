import type { ErrorCode } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { DerivedKeys, IdempotencyRecords } from '../idempotency/index.ts';
import type { Route } from './define-route.ts';
import { errorAnswer, toRequestError } from './error-answer.ts';
import type { Answer } from './send.ts';

/** Rejections that mean "not now" rather than "no". */
const NOT_NOW: ReadonlySet<ErrorCode> = new Set(['IDEMPOTENCY_IN_PROGRESS', 'USER_REGISTRATION_IN_PROGRESS']);

/** A rejection as a response that may be kept for a day; undefined when a retry with the same key must run again. */
const keepableRefusal = (route: Route, thrown: unknown): Answer | undefined => {
  const error = toRequestError(thrown);
  const { status, body } = errorAnswer(error, route);
  // Faults (5xx), an expired token (401) and a limit (429) are not outcomes of the operation.
  const transient = status >= 500 || status === 401 || status === 429 || NOT_NOW.has(error.code);
  return transient ? undefined : { status, body };
};

/**
 * Runs a request at most once per Idempotency-Key: the first response is kept and returned to repeats. If the gateway is killed while
 * it runs, the marker expires after a minute, and the retry reaches the services with the same request key.
 * @throws CodedError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, SERVICE_UNAVAILABLE and the errors of `run`
 */
export const serveOnce = async (
  route: Route,
  { records, keys, content, logger }: { records: IdempotencyRecords; keys: DerivedKeys; content: unknown; logger: Logger },
  run: () => Promise<Answer>,
): Promise<Answer> => {
  const claim = await records.claim(keys, content);
  if (claim.replay !== undefined) return { ...claim.replay, headers: { 'Idempotency-Replayed': 'true' } };
  // Redis may have become unavailable. The operation is done and its response must be sent; the marker expires by itself.
  const forgive = (err: unknown) => logger.warn({ err }, 'idempotency record not written');
  try {
    const answer = await run();
    await claim.keep(answer).catch(forgive);
    return answer;
  } catch (error) {
    const refusal = keepableRefusal(route, error);
    await (refusal === undefined ? claim.release() : claim.keep(refusal)).catch(forgive);
    throw error;
  }
};
