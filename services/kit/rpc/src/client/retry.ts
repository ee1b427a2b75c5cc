import type { DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import { isUnreachable } from '../errors/index.ts';
import { pause } from '../time.ts';

/** Longest pauses before the second and third attempt, together enough for most restarts of a service. */
const RETRY_PAUSES_MS = [100, 400] as const;

/** Retries that a channel can make in a burst. */
const BUDGET = 20;

/** The amount that a successful call adds to the budget: in the long run, retries add at most a tenth to the load of a service. */
const EARNED_PER_CALL = 0.1;

type Limits = {
  /** End of the call, on the clock of `performance.now()`. */
  deadline: number | undefined;
  signal: AbortSignal | undefined;
};

/**
 * Makes the attempts of a unary call.
 * @param attempt makes one attempt, within the time that is left in milliseconds
 * @throws ConnectError the failure of the last attempt
 */
export type Retries = <T>(method: DescMethod, limits: Limits, attempt: (leftMs: number | undefined) => Promise<T>) => Promise<T>;

const isRetryable = ({ idempotency }: DescMethod): boolean => idempotency === Level.NO_SIDE_EFFECTS || idempotency === Level.IDEMPOTENT;

/**
 * Retries calls when the service could not be reached, within their deadline. Only methods whose contract declares an idempotency level
 * are retried; an error that the service returned never is. Pauses vary at random, so that the callers of a service that restarts do not
 * return all at once, and a budget shared by all calls of a channel keeps retries from multiplying the load of a service that is down.
 * @param options `random` returns a number from 0 to below 1
 */
export const createRetries = ({
  random = Math.random,
  wait = pause,
}: {
  random?: () => number;
  wait?: (ms: number) => Promise<void>;
} = {}): Retries => {
  let budget = BUDGET;
  return async (method, { deadline, signal }, attempt) => {
    const isAborted = (): boolean => signal?.aborted === true;
    const left = (): number | undefined => (deadline === undefined ? undefined : deadline - performance.now());
    for (let retry = 0; ; retry += 1) {
      try {
        const leftMs = left();
        if (leftMs !== undefined && leftMs <= 0) throw new ConnectError('the operation timed out', Code.DeadlineExceeded);
        const result = await attempt(leftMs);
        budget = Math.min(BUDGET, budget + EARNED_PER_CALL);
        return result;
      } catch (thrown) {
        const error = ConnectError.from(thrown);
        const longest = RETRY_PAUSES_MS[retry];
        if (!isRetryable(method) || !isUnreachable(error) || longest === undefined || isAborted() || budget < 1) throw error;
        const pauseMs = (longest * (1 + random())) / 2;
        if (pauseMs >= (left() ?? Number.POSITIVE_INFINITY)) throw error;
        budget -= 1;
        await wait(pauseMs);
        if (isAborted()) throw error;
      }
    }
  };
};
