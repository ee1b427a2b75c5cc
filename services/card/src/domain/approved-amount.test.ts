import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { atApprovedRate } from './approved-amount.ts';
import { newPayment } from './new-payment.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { recordEvent } from './record-event.ts';

/** An amount of yen that was converted at a rate, in cents per yen. */
const yen = (amount: bigint, rate: bigint) => ({
  amount,
  currency: 'JPY',
  billing: amount * rate,
  fx: { rate: String(rate), markupBasisPoints: 0 },
});

let count = 0;
const event = (type: PaymentEvent['type'], more: Partial<PaymentEvent>): PaymentEvent => {
  count += 1;
  return { id: `${type} ${count}`, type, at: PAYMENT_AT, ...more };
};
const authorization = (amount: bigint, rate: bigint, approved = amount * rate): PaymentEvent =>
  event('authorization', {
    ...yen(amount, rate),
    expiresAt: PAYMENT_AT,
    decision: { billing: approved, amount: (amount * approved) / (amount * rate), held: approved, authorizationCode: '123456' },
  });
const heldAfter = (...events: readonly PaymentEvent[]) => {
  const { held, ended }: Payment = events.reduce(recordEvent, newPayment(PAYMENT_FACTS));
  return [held, ended];
};

describe('a reversal in another currency', () => {
  it.each([1n, 2n, 3n])('of the whole amount releases all that is held, at a rate of %s', (rate) => {
    expect(heldAfter(authorization(1000n, 2n), event('reversal', yen(1000n, rate)))).toEqual([0n, 'reversed']);
  });

  it.each([1n, 2n, 3n])('of a part releases as much as the authorization holds for it, at a rate of %s', (rate) => {
    expect(heldAfter(authorization(1000n, 2n), event('reversal', yen(400n, rate)))).toEqual([1200n, undefined]);
  });

  it('in several parts releases all, without a rest of rounding', () => {
    const parts = [1n, 1n, 1n].map((amount) => event('reversal', yen(amount, 5n)));
    // Three yen hold ten cents: 3, 3 and 4.
    const held = { ...authorization(3n, 10n), decision: { billing: 10n, amount: 3n, held: 10n, authorizationCode: '1' } };
    expect(heldAfter(held, ...parts.slice(0, 1))).toEqual([7n, undefined]);
    expect(heldAfter(held, ...parts.slice(0, 2))).toEqual([4n, undefined]);
    expect(heldAfter(held, ...parts)).toEqual([0n, 'reversed']);
  });

  it('of what a clearing at a lower rate has left releases all', () => {
    const clearing = event('clearing', { ...yen(600n, 1n), moreExpected: true });
    expect(heldAfter(authorization(1000n, 2n), clearing, event('reversal', yen(400n, 2n)))).toEqual([0n, 'reversed']);
  });

  it('beside a clearing that was presented twice releases its part alone', () => {
    const clearing = () => event('clearing', { ...yen(500n, 2n), moreExpected: true, network: { acquirerReference: '1'.repeat(23) } });
    expect(heldAfter(authorization(1000n, 2n), clearing(), clearing(), event('reversal', yen(100n, 2n)))).toEqual([800n, undefined]);
  });

  it('that the processor has converted releases what it states', () => {
    const stated = { amount: 1000n, currency: 'JPY', billing: 500n };
    expect(heldAfter(authorization(1000n, 2n), event('reversal', stated))).toEqual([1500n, undefined]);
  });

  it('before its authorization counts at the present rate', () => {
    expect(heldAfter(event('reversal', yen(400n, 3n)), authorization(1000n, 2n))).toEqual([800n, undefined]);
  });

  it('after an advice releases its part of what the advice holds', () => {
    const advice = event('advice', { ...yen(1000n, 2n), expiresAt: PAYMENT_AT });
    expect(heldAfter(authorization(500n, 2n), advice, event('reversal', yen(600n, 2n)))).toEqual([800n, undefined]);
    expect(heldAfter(authorization(500n, 2n), advice, event('reversal', yen(1000n, 3n)))).toEqual([0n, 'reversed']);
    const part = event('reversal', yen(400n, 2n));
    expect(heldAfter(authorization(1000n, 2n), part, advice, event('reversal', yen(700n, 2n)))).toEqual([600n, undefined]);
  });

  it('without a rate releases all, without a rest of rounding', () => {
    const parts = [1n, 2n].map((amount) => event('reversal', { amount, currency: 'JPY', billing: (10n * amount) / 3n, withoutRate: true }));
    const held = { ...authorization(3n, 10n), decision: { billing: 10n, amount: 3n, held: 10n, authorizationCode: '1' } };
    expect(heldAfter(held, ...parts)).toEqual([0n, 'reversed']);
  });
});

describe('an amount without a rate', () => {
  const approved = { billing: 10_000n, amount: 100n, held: 10_000n, authorizationCode: '1' };
  const fuel = event('authorization', {
    amount: 100n,
    currency: 'SEK',
    billing: 10_000n,
    isEstimate: true,
    expiresAt: PAYMENT_AT,
    decision: approved,
  });
  const atRate = (amount: bigint, ...events: readonly PaymentEvent[]) =>
    atApprovedRate(events.reduce(recordEvent, newPayment(PAYMENT_FACTS)), { amount, currency: 'SEK' });

  it('is worth what its payment was approved at, never what a program holds for fuel', () => {
    const { isEstimate: _, ...request } = fuel;
    const krona = { ...request, decision: { ...approved, amount: 100_000n, billing: 9000n } };
    expect(atRate(50_000n, krona)).toBe(4500n);
    expect(atRate(50_000n, fuel)).toBeUndefined();
    for (const type of ['expiry', 'reversal'] as const) {
      const undone = event(type, { undoneRequestId: krona.id });
      expect(atRate(50_000n, krona, undone)).toBe(4500n);
      const retry = { ...krona, id: 'retry', decision: { ...approved, amount: 100_000n, billing: 9200n } };
      expect(atRate(50_000n, krona, undone, retry)).toBe(4600n);
    }
    expect(atRate(50_000n, fuel, event('advice', { amount: 45_000n, currency: 'SEK', billing: 4050n }))).toBe(4500n);
  });
});
