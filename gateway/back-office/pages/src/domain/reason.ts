/** Limits of the contract. */
const REASON_MIN = 10;
export const REASON_MAX = 500;

/** Reports whether a reason says enough to be recorded. */
export const isReason = (typed: string): boolean => typed.trim().length >= REASON_MIN && typed.trim().length <= REASON_MAX;
