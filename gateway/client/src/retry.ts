import { FlorinError } from './errors.ts';
import { backoffMs, pause } from './pause.ts';

export type RetryOptions = {
  retries: number;
  /** Pause before the first repeat. */
  retryPauseMs: number;
  /** The longest `Retry-After` that is waited for; a longer one is left to the caller. */
  maxRetryAfterSeconds: number;
  signal: AbortSignal | undefined;
  /** The operation that is repeated. The failure of another one inside of it, a refresh, was repeated there. */
  operation: string;
  /** No repeat begins later than this after the first attempt. */
  repeatWithinMs?: number | undefined;
};

const MAX_PAUSE_MS = 8000;

const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Reports whether repeating can help, and does not do the work twice.
 * @param isRepeatable whether the platform performs the request once however often it gets it
 */
const canRetry = ({ code, status, retryAfterSeconds }: FlorinError, isRepeatable: boolean, maxRetryAfterSeconds: number): boolean => {
  if (retryAfterSeconds !== undefined && retryAfterSeconds > maxRetryAfterSeconds) return false;
  // These two were rejected before anything was done.
  if (status === 429) return retryAfterSeconds !== undefined;
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return true;
  return isRepeatable && (code === 'NETWORK_ERROR' || code === 'TIMEOUT' || GATEWAY_ERRORS.has(status));
};

/** Repeats an attempt while that can help. @throws the last error, and the signal's reason once it has aborted */
export const withRetries = async <T>(
  attempt: () => Promise<T>,
  isRepeatable: boolean,
  { operation, retries, retryPauseMs, maxRetryAfterSeconds, signal, repeatWithinMs = Number.POSITIVE_INFINITY }: RetryOptions,
): Promise<T> => {
  const began = performance.now();
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof FlorinError) || error.operation !== operation || failures > retries) throw error;
      if (!canRetry(error, isRepeatable, maxRetryAfterSeconds)) throw error;
      const pauseMs = (error.retryAfterSeconds ?? 0) * 1000 + backoffMs(failures, retryPauseMs, MAX_PAUSE_MS);
      if (performance.now() - began + pauseMs > repeatWithinMs) throw error;
      await pause(pauseMs, signal);
    }
  }
};
