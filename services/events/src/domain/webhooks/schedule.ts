const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits between the attempts to deliver an event, in milliseconds: ten attempts over about 75 hours. */
export const WAITS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  10 * HOUR_MS,
  24 * HOUR_MS,
  36 * HOUR_MS,
] as const;

/** Attempts to deliver an event, after which it is given up. */
export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/** Time without a success after which an endpoint is disabled. */
export const FAILING_MS = 5 * 24 * HOUR_MS;

/** Most that a wait is longer than the schedule says, as a share of it, so that many endpoints of one host are not tried at once. */
const JITTER = 0.2;

/** Longest wait that a receiver can ask for. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * Wait before the next attempt, in milliseconds.
 * @param attempts how many attempts have failed, from 1
 * @param random from 0 to 1
 * @returns undefined after the last attempt
 */
export const waitAfter = (attempts: number, random: number): number | undefined => {
  const wait = WAITS_MS[attempts - 1];
  if (wait === undefined) return undefined;
  return Math.round(wait * (1 + random * JITTER));
};

/** Reads a Retry-After field (RFC 9110, section 10.2.3), seconds or a date. @returns milliseconds; undefined if it is neither */
export const parseRetryAfter = (text: string, now: Date): number | undefined => {
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  const at = / GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
};
