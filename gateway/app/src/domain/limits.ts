/** The limits of a card, in the order in which people think of them. */
export const LIMIT_NAMES = ['perTransaction', 'daily', 'weekly', 'monthly', 'atm'] as const;

/** How much of a limit is used, from 0 to 1. A limit of nothing is used up. */
export const usedShare = ({ amount, used }: { amount: string; used: string }): number => {
  const whole = BigInt(amount);
  if (whole === 0n) return 1;
  const share = Number((BigInt(used) * 1000n) / whole) / 1000;
  return Math.min(1, Math.max(0, share));
};
