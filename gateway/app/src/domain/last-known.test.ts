import { expect, test } from 'vitest';
import { parseLastKnown } from './last-known.ts';

const MONEY = { decimals: 2, currency: 'EUR' };
const PAYMENT = { ...MONEY, amount: '3000', createdAt: '2026-11-28T12:00:00.000Z', merchant: { name: 'Bookshop' } };
const KNOWN = { at: '2026-11-28T12:00:00.000Z', balance: { ...MONEY, spendable: '47000' }, payments: [PAYMENT] };

test.each([{}, { payments: [] }, { payments: [{ ...PAYMENT, merchant: {} }] }])('reads what can be drawn: %j', (changes) => {
  const known = { ...KNOWN, ...changes };
  expect(parseLastKnown(JSON.stringify(known))).toEqual(known);
});

test.each([
  { at: undefined },
  { at: 'yesterday' },
  { balance: undefined },
  { balance: { ...MONEY, spendable: 470 } },
  { balance: { spendable: '47000', currency: 'EUR' } },
  { payments: undefined },
  { payments: [null] },
  { payments: [{ ...PAYMENT, amount: undefined }] },
  { payments: [{ ...PAYMENT, createdAt: undefined }] },
  { payments: [{ ...PAYMENT, merchant: undefined }] },
  { payments: [{ ...PAYMENT, merchant: { name: { text: 'Bookshop' } } }] },
])('leaves what another build kept: %j', (changes) => {
  expect(parseLastKnown(JSON.stringify({ ...KNOWN, ...changes }))).toBeUndefined();
});

test.each(['', '{"at":', 'null', '7', '[]'])('leaves %j', (text) => {
  expect(parseLastKnown(text)).toBeUndefined();
});
