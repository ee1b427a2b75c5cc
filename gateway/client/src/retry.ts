import { FlorinError } from './errors.ts';
import { backoffMs, pause } from './pause.ts';

export type RetryOptions = {
  retries: number;
  /** Pause before the first repeat. */
  retryPauseMs: number;
  /** The longest `Retry-After` that is waited for; a longer one is left to the caller. */
  maxRetryAfterSeconds: number;
  signal: AbortSignal | undefined;
};

const MAX_PAUSE_MS = 8000;

const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Whether repeating can help, and does not do the work twice.
 * @param isRepeatable whether the platform performs the request once however often it gets it
 */
const canRetry = ({ code, status, retryAfterSeconds }: FlorinError, isRepeatable: boolean, maxRetryAfterSeconds: number): boolean => {
  // These two were rejected before anything was done.
  if (status === 429) return retryAfterSeconds !== undefined && retryAfterSeconds <= maxRetryAfterSeconds;
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return true;
  if (retryAfterSeconds !== undefined && retryAfterSeconds > maxRetryAfterSeconds) return false;
  return isRepeatable && (code === 'NETWORK_ERROR' || code === 'TIMEOUT' || GATEWAY_ERRORS.has(status));
};

/** Repeats an attempt while that can help. @throws the last error, and the signal's reason once it has aborted */
export const withRetries = async <T>(
  attempt: () => Promise<T>,
  isRepeatable: boolean,
  { retries, retryPauseMs, maxRetryAfterSeconds, signal }: RetryOptions,
): Promise<T> => {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof FlorinError) || failures > retries || !canRetry(error, isRepeatable, maxRetryAfterSeconds)) throw error;
      const leastMs = (error.retryAfterSeconds ?? 0) * 1000;
      await pause(leastMs + backoffMs(failures, retryPauseMs, MAX_PAUSE_MS), signal);
    }
  }
};
