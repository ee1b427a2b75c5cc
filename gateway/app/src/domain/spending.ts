import type { CardTransaction } from '@florin/client';
import { isVoid } from './payment-view.ts';

/** The fields of a payment that decide what it cost. */
type Payment = Pick<CardTransaction, 'kind' | 'status' | 'isCredit' | 'amount' | 'refundedAmount' | 'dispute' | 'earlierDisputes'>;

const KINDS: ReadonlySet<Payment['kind']> = new Set(['payment', 'atm', 'refund']);

/**
 * What a payment has cost, in its smallest unit: less what was refunded, and what disputes have won back. A refund that is a transaction of its own is below zero.
 * What was declined or released, checks of cards and money that was pushed to a card are zero.
 */
export const spentOf = (payment: Payment): bigint => {
  if (isVoid(payment) || !KINDS.has(payment.kind)) return 0n;
  const amount = BigInt(payment.amount);
  if (payment.isCredit) return -amount;
  const disputes = [...(payment.earlierDisputes ?? []), ...(payment.dispute === undefined ? [] : [payment.dispute])];
  const wonBack = disputes.filter(({ status }) => status === 'won').reduce((sum, { creditedAmount }) => sum + BigInt(creditedAmount), 0n);
  return amount - BigInt(payment.refundedAmount) - wonBack;
};

/** Payments that are added up: how many there are, and what they cost. */
export type Spending = { count: number; spent: bigint };

/** Adds up the payments that cost something, or gave it back. */
export const totalOf = (payments: readonly Payment[]): Spending =>
  payments
    .map(spentOf)
    .filter((spent) => spent !== 0n)
    .reduce(({ count, spent: sum }, spent) => ({ count: count + 1, spent: sum + spent }), { count: 0, spent: 0n });

/** Adds up payments by a name, the largest sum first. */
export const spendingBy = <P extends Payment>(payments: readonly P[], nameOf: (payment: P) => string): (Spending & { name: string })[] =>
  [...Map.groupBy(payments, nameOf)]
    .map(([name, rows]) => ({ name, ...totalOf(rows) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => (one.spent === other.spent ? one.name.localeCompare(other.name) : one.spent > other.spent ? -1 : 1));

/** A part of the largest of several sums, from 0 to 1, as long as it is drawn. */
export const shareOf = (spent: bigint, largest: bigint): number =>
  largest <= 0n || spent <= 0n ? 0 : Number((spent * 1000n) / largest) / 1000;

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

export const isMonth = (value: unknown): value is string => typeof value === 'string' && MONTH.test(value);

/** The months up to that of a time where the reader is, the latest last, for example `2026-11`. */
export const monthsUpTo = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_unused, index) => {
    const first = new Date(now.getFullYear(), now.getMonth() - (count - 1 - index), 1);
    return `${first.getFullYear()}-${String(first.getMonth() + 1).padStart(2, '0')}`;
  });

/** The period of a month where the reader is: its first moment, and the first after it. */
export const periodOf = (month: string): { from: string; to: string } => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return { from: new Date(year, number - 1, 1).toISOString(), to: new Date(year, number, 1).toISOString() };
};
