import { expect, test } from 'vitest';
import { isMonth, monthsUpTo, periodOf, shareOf, spendingBy, spentOf, totalOf } from './spending.ts';

type Payment = Parameters<typeof spentOf>[0];

const payment = (changes: Partial<Payment> = {}): Payment => ({
  ...{ kind: 'payment', status: 'settled', isCredit: false, amount: '1000', refundedAmount: '0' },
  ...changes,
});

const dispute = (status: string, creditedAmount: string) => ({ status, creditedAmount }) as NonNullable<Payment['dispute']>;

test.each<[string, Partial<Payment>, bigint]>([
  ['a payment', {}, 1000n],
  ['one that is pending', { status: 'pending' }, 1000n],
  ['cash', { kind: 'atm' }, 1000n],
  ['one that was partly refunded', { refundedAmount: '300' }, 700n],
  ['one whose refund was taken back', { refundedAmount: '-300' }, 1300n],
  ['a refund by itself', { kind: 'refund', isCredit: true }, -1000n],
  ['one that was declined', { status: 'declined' }, 0n],
  ['one that was released', { status: 'reversed' }, 0n],
  ['one that expired', { status: 'expired' }, 0n],
  ['a check of the card', { kind: 'verification', amount: '0' }, 0n],
  ['money that was pushed to the card', { kind: 'credit', isCredit: true }, 0n],
  ['a dispute that is open', { dispute: dispute('submitted', '1000') }, 1000n],
  ['a dispute that was won', { dispute: dispute('won', '1000') }, 0n],
  ['two disputes of parts', { dispute: dispute('won', '400'), earlierDisputes: [dispute('won', '100'), dispute('lost', '0')] }, 500n],
])('adds up %s', (_name, changes, spent) => {
  expect(spentOf(payment(changes))).toBe(spent);
});

test('adds up by name, the largest first, and leaves out what cost nothing', () => {
  const rows = [
    { ...payment({ amount: '500' }), shop: 'Books' },
    { ...payment({ amount: '900719925474099312345' }), shop: 'Boats' },
    { ...payment({ amount: '500' }), shop: 'Books' },
    { ...payment({ status: 'declined' }), shop: 'Bets' },
    { ...payment({ amount: '1000' }), shop: 'Beds' },
  ];
  expect(spendingBy(rows, ({ shop }) => shop)).toEqual([
    { name: 'Boats', count: 1, spent: 900719925474099312345n },
    { name: 'Beds', count: 1, spent: 1000n },
    { name: 'Books', count: 2, spent: 1000n },
  ]);
  expect(totalOf([])).toEqual({ count: 0, spent: 0n });
});

test('draws shares of the largest sum, and nothing for what came back', () => {
  expect([shareOf(500n, 1000n), shareOf(1000n, 1000n), shareOf(-5n, 1000n), shareOf(5n, 0n)]).toEqual([0.5, 1, 0, 0]);
});

test('counts months back over the turn of a year', () => {
  expect(monthsUpTo(new Date(2026, 1, 28), 4)).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  expect(monthsUpTo(new Date(2026, 2, 31), 2)).toEqual(['2026-02', '2026-03']);
  expect(['2026-12', '2026-13', '26-1', 5, undefined].map(isMonth)).toEqual([true, false, false, false, false]);
});

test('a month ends where the next one begins', () => {
  expect(periodOf('2026-12')).toEqual({ from: new Date(2026, 11, 1).toISOString(), to: periodOf('2027-01').from });
});
