import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { billedAsBooked } from './approved-amount.ts';
import { newPayment } from './new-payment.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { recordEvent } from './record-event.ts';
import { billedAsPurchased } from './refund-billing.ts';

let count = 0;
/** An amount of yen, converted at so many cents for a hundred yen. */
const yen = (type: PaymentEvent['type'], amount: bigint, rate: bigint): PaymentEvent => {
  count += 1;
  const fx = { rate: String(rate), markupBasisPoints: 0 };
  return { id: `${type} ${count}`, type, at: PAYMENT_AT, amount, currency: 'JPY', billing: (amount * rate) / 100n, fx };
};
const billings = (...events: readonly PaymentEvent[]) => {
  let payment = newPayment(PAYMENT_FACTS);
  return events.map((event) => {
    const billed = billedAsPurchased(payment, billedAsBooked(payment, event));
    payment = recordEvent(payment, billed);
    return billed.billing;
  });
};
const refundsOf = (...events: readonly PaymentEvent[]) => billings(...events).slice(1);

describe('a refund in the currency of its purchase', () => {
  // 1,000 yen that were billed with 6.16.
  const purchase = { ...yen('clearing', 1000n, 62n), billing: 616n };

  it.each([40n, 61n, 90n])('returns what was billed, at a rate of %s', (rate) => {
    expect(refundsOf(purchase, yen('refund', 1000n, rate))).toEqual([616n]);
    expect(refundsOf(purchase, yen('refund', 500n, rate), yen('refund', 500n, rate))).toEqual([308n, 308n]);
  });

  it('returns what its purchase was approved at, before that is cleared', () => {
    const decision = { billing: 616n, amount: 1000n, held: 616n, authorizationCode: '123456' };
    const approved = { ...yen('authorization', 1000n, 62n), billing: 616n, decision };
    expect(refundsOf(approved, yen('refund', 500n, 40n), yen('refund', 500n, 90n))).toEqual([308n, 308n]);
  });

  it('in many parts returns no more than was billed', () => {
    const parts = Array.from({ length: 1000 }, () => yen('refund', 1n, 61n));
    expect(refundsOf(purchase, ...parts).reduce((sum = 0n, part = 0n) => sum + part, 0n)).toBe(616n);
  });

  it('above the purchase is worth the present rate beyond it', () => {
    expect(refundsOf(purchase, yen('refund', 1500n, 40n))).toEqual([616n + 200n]);
    expect(refundsOf(purchase, yen('refund', 1000n, 40n), yen('refund', 500n, 40n))).toEqual([616n, 200n]);
  });

  it('is announced, taken back and repeated with the same amount', () => {
    expect(
      refundsOf(
        purchase,
        yen('credit_announced', 500n, 40n),
        yen('refund', 500n, 40n),
        yen('refund_reversal', 500n, 90n),
        yen('refund', 500n, 20n),
      ),
    ).toEqual([308n, 308n, 308n, 308n]);
  });

  it('that was taken back before it arrived comes to nothing', () => {
    expect(refundsOf(purchase, yen('refund_reversal', 333n, 40n), yen('refund', 333n, 90n))).toEqual([205n, 205n]);
  });

  it('that the processor has billed, or in another currency, is worth what is stated', () => {
    const { fx: _, ...stated } = yen('refund', 500n, 40n);
    expect(refundsOf(purchase, stated)).toEqual([200n]);
    expect(refundsOf(purchase, { ...yen('refund', 500n, 40n), currency: 'USD' })).toEqual([200n]);
  });

  it('of a withdrawal that was booked at once returns what was booked', () => {
    const decision = { billing: 616n, amount: 1000n, held: 616n, authorizationCode: '123456' };
    const withdrawal = { ...yen('authorization', 1000n, 62n), singleMessage: true, decision };
    expect(refundsOf(withdrawal, yen('refund', 1000n, 40n))).toEqual([616n]);
  });

  it('without a rate returns what was billed, not what was approved', () => {
    const { fx: _, ...refund } = yen('refund', 1000n, 65n);
    expect(refundsOf(purchase, { ...refund, withoutRate: true })).toEqual([616n]);
  });

  it('of a withdrawal that a clearing file tells of counts it once', () => {
    const decision = { billing: 616n, amount: 1000n, held: 616n, authorizationCode: '123456' };
    const withdrawal = { ...yen('authorization', 1000n, 62n), singleMessage: true, decision };
    expect(billings(withdrawal, yen('clearing', 1000n, 70n), yen('refund', 1000n, 40n), yen('refund', 500n, 40n)).slice(1)).toEqual([
      616n,
      616n,
      200n,
    ]);
    expect(billings(withdrawal, yen('clearing', 1200n, 70n), yen('refund', 1200n, 40n)).slice(1)).toEqual([739n, 739n]);
  });

  it('without a purchase is taken back with what it was credited', () => {
    expect(billings(yen('refund', 1000n, 60n), yen('refund_reversal', 400n, 90n), yen('refund_reversal', 600n, 10n))).toEqual([
      600n,
      240n,
      360n,
    ]);
  });

  it('never credits more than was billed for what was purchased, at any rate and in any order', () => {
    const step = fc.record({
      type: fc.constantFrom('refund' as const, 'refund_reversal' as const),
      amount: fc.bigInt({ min: 1n, max: 300n }),
      rate: fc.bigInt({ min: 1n, max: 900n }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const events = [purchase, ...steps.map(({ type, amount, rate }) => yen(type, amount, rate))];
        let payment: Payment = newPayment(PAYMENT_FACTS);
        let refunded = 0n;
        for (const event of events) {
          if (event.type === 'refund') refunded += event.amount ?? 0n;
          if (event.type === 'refund_reversal') refunded -= event.amount ?? 0n;
          if (refunded > 1000n || refunded < 0n) return;
          payment = recordEvent(payment, billedAsPurchased(payment, event));
          expect(payment.refunded).toBe((616n * refunded) / 1000n);
        }
      }),
    );
  });
});
