import { CodedError, type ErrorCode } from '@florin/rpc/errors';

export type Slots = {
  /**
   * Takes a slot. @returns the function that releases it
   * @throws CodedError the kind's code with `retryAfterSeconds` when the subject has no slot left, SERVICE_UNAVAILABLE when the process has none
   */
  take: (subject: string) => () => void;
};

/**
 * Limits what runs at the same time. It is counted per process, because that is where it uses memory and connections.
 * @param limits `code` and `retryAfterSeconds` are for a subject without a slot
 */
const createSlots = (limits: { perSubject: number; total: number; code: ErrorCode; retryAfterSeconds: number }): Slots => {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take: (subject) => {
      const count = taken.get(subject) ?? 0;
      const metadata = { retryAfterSeconds: String(limits.retryAfterSeconds) };
      if (count >= limits.perSubject) throw new CodedError(limits.code, { metadata });
      if (total >= limits.total) throw new CodedError('SERVICE_UNAVAILABLE');
      taken.set(subject, count + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = (taken.get(subject) ?? 1) - 1;
        if (left === 0) taken.delete(subject);
        else taken.set(subject, left);
      };
    },
  };
};

/** Event streams: several devices of a user with several windows each. */
export const createStreamSlots = (): Slots =>
  createSlots({ perSubject: 10, total: 10_000, code: 'STREAM_LIMIT_REACHED', retryAfterSeconds: 10 });

/** CSV tables: each makes many calls, over the few connections that tables have, and holds one page of rows in memory. */
export const createTableSlots = (): Slots => createSlots({ perSubject: 1, total: 64, code: 'RATE_LIMITED', retryAfterSeconds: 5 });
