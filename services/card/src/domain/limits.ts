import type { Amount } from '@florin/rpc/money';
import type { DeclineCode } from './decline-codes.ts';
import { type Period, periodStart } from './periods.ts';

/** The limits of a card, in the billing currency's minor unit. An absent one is unlimited. */
export const LIMIT_NAMES = ['perTransaction', 'daily', 'weekly', 'monthly', 'atm'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export type Limits = Readonly<Partial<Record<LimitName, Amount>>>;

/** Most payments of a card in one day, of all kinds and of withdrawals of cash. An absent one is unlimited. */
export type Counts = Readonly<Partial<Record<'daily' | 'atm', number>>>;

/** The period that a limit counts in. */
export const PERIOD_OF: Readonly<Record<Exclude<LimitName, 'perTransaction'>, Period>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  atm: 'day',
};

/** Why a request is declined that exceeds a limit. */
export const EXCEEDED: Readonly<Record<LimitName, DeclineCode>> = {
  perTransaction: 'transaction_limit_exceeded',
  atm: 'atm_limit_exceeded',
  daily: 'daily_limit_exceeded',
  weekly: 'weekly_limit_exceeded',
  monthly: 'monthly_limit_exceeded',
};

/** End of the period that a limit counts in at `now`; undefined for the one per transaction. */
export const resetsAt = (name: LimitName, now: Date): Date | undefined =>
  name === 'perTransaction' ? undefined : periodStart(PERIOD_OF[name], now, 1);

/** Reports whether a limit that was set becomes higher, or falls back to that of the program, which is as high or higher. */
export const raises = (from: Limits, to: Limits): boolean =>
  LIMIT_NAMES.some((name) => {
    const [before, after] = [from[name], to[name]];
    return before !== undefined && (after === undefined || after > before);
  });

/** The lower of two limits, by name. */
export const lowest = (one: Limits, other: Limits): Limits =>
  Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const [a, b] = [one[name], other[name]];
      const limit = a === undefined || (b !== undefined && b < a) ? b : a;
      return limit === undefined ? [] : [[name, limit]];
    }),
  );
