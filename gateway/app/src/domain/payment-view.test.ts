import { expect, test } from 'vitest';
import { canDispute, hasReceipt, isVoid, moneyOf, refundsOf, signedAmount, toneOf } from './payment-view.ts';

const paid = { status: 'settled', kind: 'payment', isCredit: false, amount: '4999', refundedAmount: '0' };

test('signs amounts as the account sees them', () => {
  expect(signedAmount(paid)).toBe('-4999');
  expect(signedAmount({ ...paid, isCredit: true })).toBe('4999');
});

test('tells part of a refund from all of it', () => {
  const refunded = (refundedAmount: string) => refundsOf({ ...paid, refundedAmount });
  expect([refunded('0'), refunded('-1'), refunded('1'), refunded('4999'), refunded('5000')]).toEqual([
    'none',
    'none',
    'part',
    'all',
    'all',
  ]);
});

test('strikes out what did not move', () => {
  expect(['pending', 'settled', 'reversed', 'expired', 'declined'].map((status) => isVoid({ status }))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test('offers a dispute only for what was taken and has not come back', () => {
  expect(canDispute(paid)).toBe(true);
  expect(canDispute({ ...paid, refundedAmount: '100' })).toBe(true);
  expect(canDispute({ ...paid, refundedAmount: '4999' })).toBe(false);
  expect(canDispute({ ...paid, status: 'pending' })).toBe(false);
  expect(canDispute({ ...paid, isCredit: true })).toBe(false);
  expect(canDispute({ ...paid, dispute: { status: 'open' } })).toBe(false);
});

test('confirms by a receipt only what was paid', () => {
  expect(hasReceipt(paid)).toBe(true);
  expect(hasReceipt({ ...paid, kind: 'atm' })).toBe(true);
  expect(hasReceipt({ ...paid, kind: 'verification' })).toBe(false);
  expect(hasReceipt({ ...paid, kind: 'refund', isCredit: true })).toBe(false);
  expect(['pending', 'declined', 'reversed', 'expired'].filter((status) => hasReceipt({ ...paid, status }))).toEqual([]);
});

test.each([
  [{ status: 'declined' }, 'declined'],
  [{ status: 'reversed' }, 'released'],
  [{ status: 'expired' }, 'released'],
  [{ status: 'pending' }, 'pending'],
  [{ refundedAmount: '4999' }, 'back'],
  [{ refundedAmount: '100' }, 'settled'],
  [{}, 'settled'],
])('of an unknown payment with %j the money is %s', (changed, money) => {
  expect(moneyOf({ ...paid, ...changed })).toBe(money);
});

test('has a plain look for states of a later platform', () => {
  expect([toneOf('declined'), toneOf('tomorrow')]).toEqual(['bad', 'plain']);
});
