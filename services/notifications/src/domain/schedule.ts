/** Pauses between the attempts to send one notification, in milliseconds. After the last one it is given up. */
const PAUSES_MS = [1000, 5000, 30_000, 120_000, 600_000, 3_600_000] as const;

/** Longest pause that a push service can ask for. */
const LONGEST_MS = 3_600_000;

/**
 * When the next attempt is made.
 * @param attempts attempts that were made, at least one
 * @param retryAfterMs what the push service asked for
 * @returns undefined when there is none
 */
export const nextAttempt = (now: Date, attempts: number, expiresAt: Date, retryAfterMs = 0): Date | undefined => {
  const pause = PAUSES_MS[attempts - 1];
  if (pause === undefined) return undefined;
  const next = new Date(now.getTime() + Math.max(pause, Math.min(retryAfterMs, LONGEST_MS)));
  return next < expiresAt ? next : undefined;
};

/** The pause that a Retry-After header asks for (RFC 9110, section 10.2.3), in milliseconds. */
export const retryAfterMs = (header: string | null, now: Date): number => {
  if (header === null) return 0;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
};
