import { CodedError } from '@florin/rpc/errors';
import { within } from '@florin/rpc/time';

/** The time within which a request is decided. */
export type Deadline = {
  /** Milliseconds that are left, at least 0. */
  remainingMs: () => number;
  /**
   * Waits for work until the deadline.
   * @throws CodedError UPSTREAM_TIMEOUT past it; the outcome of the work is then unknown
   */
  bound: <T>(work: Promise<T>) => Promise<T>;
};

/** A deadline on the monotonic clock, so that no change of the time of day moves it. */
export const createDeadline = (ms: number): Deadline => {
  const end = performance.now() + ms;
  const remainingMs = (): number => Math.max(0, end - performance.now());
  return {
    remainingMs,
    bound: async (work) => {
      // The work goes on after a timeout; its failure is then of no interest.
      work.catch(() => undefined);
      try {
        // A timer may fire up to a millisecond early, which would look like a failure of the work.
        return await within(Math.ceil(remainingMs()) + 1, work);
      } catch (error) {
        if (remainingMs() > 0) throw error;
        throw new CodedError('UPSTREAM_TIMEOUT', { cause: error });
      }
    },
  };
};
