import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { newPayment } from './new-payment.ts';
import { foreignBookingsOf, originalOf } from './original-amount.ts';
import type { PaymentFacts } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { recordEvent } from './record-event.ts';

let count = 0;
/** An amount of dollars, converted at 0.90 with a mark-up of 1 percent. */
const usd = (type: PaymentEvent['type'], amount: bigint, more: Partial<PaymentEvent> = {}): PaymentEvent => {
  count += 1;
  const [billing, markup] = [(amount * 909n) / 1000n, (amount * 9n) / 1000n];
  const reference = { rate: '0.9', date: '2026-01-30' };
  const id = `${type} ${count}`;
  return {
    id,
    type,
    at: PAYMENT_AT,
    amount,
    currency: 'USD',
    billing,
    markup,
    fx: { rate: '0.90', markupBasisPoints: 100 },
    reference,
    ...more,
  };
};
const approved = (amount: bigint, more: Partial<PaymentEvent> = {}, held = (amount * 909n) / 1000n) =>
  usd('authorization', amount, { decision: { amount, billing: held, held, authorizationCode: '123456' }, ...more });
const later = { fx: { rate: '0.80', markupBasisPoints: 0 }, reference: { rate: '0.8', date: '2026-02-28' }, markup: 1n };
/** Billed by the processor. */
const byProcessor = (type: PaymentEvent['type'], amount: bigint, billing: bigint): PaymentEvent => {
  const { fx: _ours, markup: _with, ...stated } = usd(type, amount, { billing });
  return stated;
};

const originalAfter = (events: readonly PaymentEvent[], facts: Partial<PaymentFacts> = {}) => {
  const { amount, currency, fx, markup, compared } = originalOf(
    events.reduce(recordEvent, newPayment({ ...PAYMENT_FACTS, ...facts })),
    'EUR',
  );
  return [amount, currency, fx?.rate, markup, compared?.reference?.rate];
};
const single = { singleMessage: true };
const fuel = approved(100n, { isEstimate: true, billing: 10_000n }, 10_000n);

describe('the amount of a payment in the currency of the transaction', () => {
  it.each<[string, PaymentEvent[], ReturnType<typeof originalAfter>]>([
    ['is what is held', [approved(10_000n)], [10_000n, 'USD', '0.90', 90n, '0.9']],
    ['is what is left of it', [approved(10_000n), usd('reversal', 4000n, later)], [6000n, 'USD', '0.90', 54n, '0.9']],
    ['is what has cleared', [approved(10_000n), usd('clearing', 14_000n)], [14_000n, 'USD', '0.90', 126n, '0.9']],
    [
      'is what the clearings amount to',
      [approved(10_000n), usd('clearing', 4000n), usd('clearing', 5000n)],
      [9000n, 'USD', '0.90', 81n, '0.9'],
    ],
    [
      'knows no rate of the processor',
      [approved(10_000n), byProcessor('clearing', 10_000n, 9500n)],
      [10_000n, 'USD', undefined, 0n, '0.9'],
    ],
    [
      'is that of the purchase after a refund',
      [usd('clearing', 10_000n), usd('refund', 1000n, later)],
      [10_000n, 'USD', '0.90', 90n, '0.9'],
    ],
    [
      'is not that of a decline',
      [
        approved(10_000n),
        usd('authorization', 70n, { ...later, decision: { decline: 'pin_incorrect', amount: 0n, billing: 0n, held: 0n } }),
      ],
      [10_000n, 'USD', '0.90', 90n, '0.9'],
    ],
    ['is that of a booking', [approved(10_000n, single), usd('clearing', 10_000n, later)], [10_000n, 'USD', '0.90', 90n, '0.9']],
    [
      'is the part that a machine has paid out',
      [approved(10_000n, single), usd('reversal', 4000n, later)],
      [6000n, 'USD', '0.90', 54n, '0.9'],
    ],
    [
      'is what was asked for, if nothing is left',
      [approved(10_000n), usd('reversal', 10_000n, later)],
      [10_000n, 'USD', '0.90', 90n, '0.9'],
    ],
    ['is that of the fuel, once it is known', [fuel, usd('clearing', 4500n)], [4500n, 'USD', '0.90', 40n, '0.9']],
    [
      'is what was posted beside a hold, though it was billed with nothing',
      [fuel, { ...usd('force_post', 4500n, { billing: 0n }), markup: 0n }],
      [4500n, 'USD', '0.90', 0n, '0.9'],
    ],
    ['is what a pump asks for until then', [fuel], [100n, 'USD', undefined, 0n, undefined]],
    ['is what is held for it in the billing currency', [{ ...fuel, currency: 'EUR' }], [10_000n, 'EUR', undefined, 0n, undefined]],
  ])('%s', (_, events, expected) => {
    expect(originalAfter(events)).toEqual(expected);
  });

  it('of a refund under an id of its own is what was refunded', () => {
    const refunds = [usd('credit_announced', 500n, later), usd('refund', 500n), usd('refund', 200n)];
    expect(originalAfter(refunds, { kind: 'refund' })).toEqual([700n, 'USD', '0.90', 5n, '0.9']);
  });
});

describe('the bookings of a payment in another currency', () => {
  const bookedAfter = (...events: PaymentEvent[]) =>
    [...foreignBookingsOf(events.reduce(recordEvent, newPayment(PAYMENT_FACTS)), 'EUR').values()].map(
      ({ amount, currency, fx, markup, compared }) => [amount, currency, fx?.rate, markup, compared?.reference?.rate],
    );
  const dispute: PaymentEvent = {
    ...{ id: 'dispute', type: 'dispute_opened', at: PAYMENT_AT, amount: 5454n, currency: 'EUR', billing: 5454n },
    dispute: { id: 'dispute', reason: 'other', provisionalCredit: 5454n },
  };

  it('have each its own amount, rate and mark-up; credits of disputes have none', () => {
    const first = usd('clearing', 6000n, { moreExpected: true });
    const purchase = [approved(10_000n), first, usd('clearing', 4000n, later), byProcessor('clearing', 1000n, 950n)];
    expect(bookedAfter(...purchase, dispute, usd('refund', 1000n))).toEqual([
      [6000n, 'USD', '0.90', 54n, '0.9'],
      [4000n, 'USD', '0.80', 1n, '0.8'],
      [1000n, 'USD', undefined, 0n, '0.9'],
      [1000n, 'USD', '0.90', 9n, '0.9'],
    ]);
  });

  it('have the part that was booked', () => {
    expect(bookedAfter(approved(10_000n, single), usd('clearing', 12_000n), usd('reversal', 4000n))).toEqual([
      [10_000n, 'USD', '0.90', 90n, '0.9'],
      [2000n, 'USD', '0.90', 18n, '0.9'],
      [4000n, 'USD', '0.90', 36n, '0.9'],
    ]);
  });
});
