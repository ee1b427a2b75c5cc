import { describe, expect, it } from 'vitest';
import { programSchema } from '../program-config.ts';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { newPayment } from './new-payment.ts';
import { typeDecline, typedAs, typeRule } from './transaction-types.ts';

const RULES = { quasi_cash: { isDenied: true }, account_funding: { upTo: 500n }, cash: { countsAsCash: true } };
const decline = (payment: Omit<Parameters<typeof typeDecline>[1], 'billing'>, billing = 500n) =>
  typeDecline(RULES, { ...payment, billing });

describe('the type of a transaction', () => {
  it('is the one that the network states, else that of the merchant category', () => {
    expect(decline({ network: { type: 'quasi_cash' } })).toBe('type_blocked');
    expect(decline({ merchant: { categoryCode: '6051' } })).toBe('type_blocked');
    expect(decline({ network: { type: 'purchase' }, merchant: { categoryCode: '6051' } })).toBeUndefined();
    expect(decline({ merchant: { categoryCode: '5411' } })).toBeUndefined();
  });

  it('has an amount up to which it is permitted', () => {
    const network = { type: 'account_funding' } as const;
    expect([decline({ network }), decline({ network }, 501n)]).toEqual([undefined, 'transaction_limit_exceeded']);
  });

  it('of a push to the card is none of a payment', () => {
    expect(decline({ network: { type: 'original_credit' } })).toBe('transaction_invalid');
  });

  it('of a payment is that of its first events, whatever increases it', () => {
    const event = { id: '1', type: 'authorization', at: PAYMENT_AT, network: { type: 'quasi_cash' } } as const;
    const payment = { ...newPayment({ ...PAYMENT_FACTS, merchant: { name: 'Casino', categoryCode: '7995' } }), events: [event] };
    expect(typedAs(payment, { network: { type: 'purchase' } })).toMatchObject({ network: { type: 'quasi_cash' }, atm: false });
    expect(typedAs(undefined, { network: { type: 'purchase' } })).toMatchObject({ network: { type: 'purchase' } });
  });

  it('is left to the rules of machines for cash there', () => {
    expect(typeRule(RULES, { network: { type: 'cash' }, atm: true })).toBeUndefined();
    expect(typeRule(RULES, { network: { type: 'cash' } })).toEqual({ countsAsCash: true });
  });

  it('counts as cash by default where it is cash or can be turned into it', () => {
    expect(programSchema.parse({}).types).toEqual({ cash: { countsAsCash: true }, quasi_cash: { countsAsCash: true } });
  });
});
