import type { Amount } from '@florin/rpc/money';
import { type Payment, usageOf } from './payment.ts';

/** The amount that an event of a payment has added to the amount that counts against limits, less what was given back of it since. */
export type Usage = { at: Date; amount: Amount };

type UsedPayment = Pick<Payment, 'usages' | 'countsAt' | 'createdAt' | 'held' | 'cleared'>;

/** Usage of a payment, oldest first, by the times in whose periods it counts. It adds up to `usageOf`. */
export const usagesOf = (payment: UsedPayment): readonly Usage[] =>
  payment.usages ?? [{ at: payment.countsAt ?? payment.createdAt, amount: usageOf(payment) }];

/**
 * Usage of a payment after an event. An added amount counts from the time of its event on; an amount that is given back is taken from the latest additions. Amounts
 * of zero stay: they tell which revision of the payment they were taken from.
 */
export const usagesAfter = (before: UsedPayment, after: Pick<Payment, 'held' | 'cleared'>, at: Date): readonly Usage[] => {
  const usages = usagesOf(before);
  const difference = usageOf(after) - usageOf(before);
  if (difference === 0n) return usages;
  if (difference > 0n) return [...usages, { at, amount: difference }];
  let left = -difference;
  const reduced = usages.toReversed().map((usage) => {
    const given = left < usage.amount ? left : usage.amount;
    left -= given;
    return { ...usage, amount: usage.amount - given };
  });
  return reduced.toReversed();
};
