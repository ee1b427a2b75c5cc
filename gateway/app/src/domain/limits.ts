import { isFlorinError } from '@florin/client';

/** The limits of a card, in the order in which people think of them. */
export const LIMIT_NAMES = ['perTransaction', 'daily', 'weekly', 'monthly', 'atm'] as const;

/** The limit that the platform has found to be above the card program's maximum, and the maximum in minor units. Undefined for any other error. */
export const aboveProgram = (error: unknown): { name: string; most: string } | undefined => {
  if (!isFlorinError(error, 'LIMIT_ABOVE_PROGRAM')) return undefined;
  const [, name, most] = /^field: (\w+); limit: (\d+)$/.exec(error.reason ?? '') ?? [];
  return name === undefined || most === undefined ? undefined : { name, most };
};

/** How much of a limit is used, from 0 to 1. A limit of nothing is used up. */
export const usedShare = ({ amount, used }: { amount: string; used: string }): number => {
  const whole = BigInt(amount);
  if (whole === 0n) return 1;
  const share = Number((BigInt(used) * 1000n) / whole) / 1000;
  return Math.min(1, Math.max(0, share));
};
