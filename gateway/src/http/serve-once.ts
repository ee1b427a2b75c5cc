import type { ErrorCode } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { DerivedKeys, IdempotencyRecords } from '../idempotency/index.ts';
import type { Route } from './define-route.ts';
import { errorAnswer, toRequestError } from './error-answer.ts';
import type { Answer } from './send.ts';

/** Refusals that say "not now" instead of "no". */
const NOT_NOW: ReadonlySet<ErrorCode> = new Set(['IDEMPOTENCY_IN_PROGRESS', 'USER_REGISTRATION_IN_PROGRESS']);

/** A refusal as an answer that may be kept for a day; undefined when a repeat with the same key should run again. */
const keepableRefusal = (route: Route, thrown: unknown): Answer | undefined => {
  const error = toRequestError(thrown);
  const { status, body } = errorAnswer(error, route);
  // Faults (5xx), a token that ran out (401) and a limit (429) say nothing about the operation.
  const transient = status >= 500 || status === 401 || status === 429 || NOT_NOW.has(error.code);
  return transient ? undefined : { status, body };
};

/**
 * Runs a request at most once per Idempotency-Key: the first answer is kept and repeated. Killed while it runs, the marker ends
 * after a minute, and the retry reaches the services with the same request key.
 * @throws CodedError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, SERVICE_UNAVAILABLE, and what `run` throws
 */
export const serveOnce = async (
  route: Route,
  { records, keys, content, logger }: { records: IdempotencyRecords; keys: DerivedKeys; content: unknown; logger: Logger },
  run: () => Promise<Answer>,
): Promise<Answer> => {
  const claim = await records.claim(keys, content);
  if (claim.replay !== undefined) return { ...claim.replay, headers: { 'Idempotency-Replayed': 'true' } };
  // Redis may be gone by now. What was done is done and must be answered; the marker ends by itself.
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
