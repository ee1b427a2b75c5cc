import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { newPayment } from './new-payment.ts';
import { disputableOf, type Payment, paymentStatus, usageOf } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { recordEvent } from './record-event.ts';

let count = 0;
const event = (type: PaymentEvent['type'], billing?: bigint): PaymentEvent => {
  count += 1;
  const dispute = { id: 'dispute', reason: 'fraud', provisionalCredit: billing ?? 0n };
  const amount = billing === undefined ? {} : { amount: billing, currency: 'EUR', billing };
  return { id: `${type} ${count}`, type, at: PAYMENT_AT, ...amount, ...(type === 'dispute_opened' ? { dispute } : {}) };
};
const withdrawal = (amount: bigint): PaymentEvent => ({
  ...event('authorization', amount),
  singleMessage: true,
  decision: { billing: amount, amount, held: amount, authorizationCode: '123456' },
});
const recorded = (...events: readonly PaymentEvent[]): Payment => events.reduce(recordEvent, newPayment(PAYMENT_FACTS));

/** Returns the amount that the effects pay the account on balance, postings included. */
const paidBy = ({ effects }: Payment): bigint =>
  effects.reduce((sum, effect) => {
    if (effect.kind === 'credit') return sum + effect.amount;
    return effect.kind === 'debit' || effect.kind === 'post' ? sum - effect.amount : sum;
  }, 0n);

describe('a payment that was booked with its authorization', () => {
  it.each<[string, PaymentEvent[], [paid: bigint, usage: bigint, status: string]]>([
    ['is given back by a full reversal', [event('reversal')], [0n, 0n, 'reversed']],
    ['is given back in part', [event('reversal', 500n)], [-1500n, 1500n, 'settled']],
    ['is given back in parts that add up', [event('reversal', 500n), event('reversal', 1500n)], [0n, 0n, 'reversed']],
    ['is given back no more than once', [event('reversal'), event('reversal'), event('reversal', 500n)], [0n, 0n, 'reversed']],
    ['is given back no more than was booked', [event('reversal', 9000n)], [0n, 0n, 'reversed']],
    ['is replaced by the amount that was paid out', [event('advice', 1200n)], [-1200n, 1200n, 'settled']],
    ['is replaced by the latest of several amounts', [event('advice', 1200n), event('advice', 1500n)], [-1500n, 1500n, 'settled']],
    ['is replaced by a higher amount', [event('advice', 2300n)], [-2300n, 2300n, 'settled']],
    ['is unchanged by an advice of the same amount', [event('advice', 2000n)], [-2000n, 2000n, 'settled']],
    ['stays reversed when an advice follows', [event('reversal'), event('advice', 2000n)], [0n, 0n, 'reversed']],
    ['is reversed after an advice', [event('advice', 1200n), event('reversal')], [0n, 0n, 'reversed']],
    ['is booked once, whatever a clearing file says of it', [event('clearing', 2000n)], [-2000n, 2000n, 'settled']],
    ['is booked once by parts in a clearing file', [event('clearing', 1500n), event('clearing', 500n)], [-2000n, 2000n, 'settled']],
    ['is booked with what a clearing adds', [event('clearing', 2300n)], [-2300n, 2300n, 'settled']],
    ['is booked with a second clearing', [event('clearing', 2000n), event('clearing', 2000n)], [-4000n, 4000n, 'settled']],
    ['is booked beside a force post', [event('force_post', 300n), event('clearing', 2000n)], [-2300n, 2300n, 'settled']],
    ['stays given back in part', [event('reversal', 500n), event('clearing', 2000n)], [-1500n, 1500n, 'settled']],
    ['is reversed without what is booked beside it', [event('correction_debit', 300n), event('reversal')], [-300n, 300n, 'settled']],
    ['stays reversed when something is booked beside it', [event('reversal'), event('correction_debit', 300n)], [-300n, 300n, 'settled']],
    ['is replaced without what is booked beside it', [event('correction_debit', 300n), event('advice', 1200n)], [-1500n, 1500n, 'settled']],
    [
      'is replaced before something is booked beside it',
      [event('advice', 1200n), event('correction_debit', 300n)],
      [-1500n, 1500n, 'settled'],
    ],
    ['is given back in part afterwards', [event('clearing', 2000n), event('reversal', 500n)], [-1500n, 1500n, 'settled']],
  ])('%s', (_, events, expected) => {
    const payment = recorded(withdrawal(2000n), ...events);
    expect([paidBy(payment), usageOf(payment), paymentStatus(payment)]).toEqual(expected);
  });

  it('is not booked again by its record in a clearing file where a part was reversed before it came', () => {
    const paid = (presented: bigint) => paidBy(recorded(event('reversal', 500n), withdrawal(2000n), event('clearing', presented)));
    expect([paid(2000n), paid(1500n), paid(2300n)]).toEqual([-1500n, -1500n, -1800n]);
  });

  it('stays given back once when the network repeats a reversal under another id', () => {
    const reversal = { ...event('reversal', 500n), network: { traceNumber: '000001' } };
    const repeat = (traceNumber?: string) => ({
      ...event('reversal', 500n),
      network: { repeat: true as const, ...(traceNumber === undefined ? {} : { traceNumber }) },
    });
    expect(paidBy(recorded(withdrawal(2000n), reversal, repeat('000001'), repeat()))).toBe(-1500n);
    expect(paidBy(recorded(withdrawal(2000n), reversal, repeat('000002')))).toBe(-1000n);
    expect(paidBy(recorded(withdrawal(2000n), repeat('000001')))).toBe(-1500n);
  });

  it('gives the limits back with the reversal', () => {
    expect(recorded(withdrawal(2000n), event('reversal', 500n)).effects.slice(-2)).toMatchObject([
      { kind: 'credit', from: 'settlement', amount: 500n },
      { kind: 'usage' },
    ]);
  });

  it.each([
    [2000n, undefined, 0n],
    [500n, undefined, 0n],
    [500n, 1000n, -500n],
    [500n, 1800n, 0n],
    [2500n, undefined, 500n],
  ])('is paid once by a refund of %s and a reversal of %s, in either order', (refund, reversal, paid) => {
    const [refunded, reversed] = [event('refund', refund), event('reversal', reversal)];
    const [one, other] = [recorded(withdrawal(2000n), refunded, reversed), recorded(withdrawal(2000n), reversed, refunded)];
    expect([paidBy(one), paidBy(other)]).toEqual([paid, paid]);
    expect([one.cleared, one.refunded]).toEqual([other.cleared, other.refunded]);
  });

  it('is paid by the reversal again when the refund that it gave way to is taken back', () => {
    const payment = recorded(withdrawal(2000n), event('reversal'), event('refund', 2000n), event('refund_reversal', 2000n));
    expect([paidBy(payment), payment.cleared]).toEqual([0n, 0n]);
  });

  it('is paid once by a reversal and a dispute, in either order', () => {
    for (const outcome of ['dispute_won', 'dispute_lost'] as const) {
      const disputed = [event('dispute_opened', 2000n), event('reversal'), event(outcome)];
      expect(paidBy(recorded(withdrawal(2000n), ...disputed))).toBe(0n);
    }
    expect(disputableOf(recorded(withdrawal(2000n), event('reversal')))).toBe(0n);
  });

  it('counts only what was not released before the authorization', () => {
    const payment = recorded(event('reversal', 500n), withdrawal(2000n), event('reversal', 500n));
    expect([paidBy(payment), usageOf(payment)]).toEqual([-1000n, 1000n]);
  });

  it('is given back at the rate of its authorization', () => {
    const dollars = (amount: bigint, rate: bigint) => ({
      ...{ amount, currency: 'USD', billing: amount * rate },
      fx: { rate: String(rate), markupBasisPoints: 0 },
    });
    const decision = { billing: 2000n, amount: 1000n, held: 2000n, authorizationCode: '123456' };
    const paid = { ...withdrawal(2000n), ...dollars(1000n, 2n), decision };
    const paidAfter = (type: 'advice' | 'reversal', amount: bigint) => paidBy(recorded(paid, { ...event(type), ...dollars(amount, 3n) }));
    expect([paidAfter('advice', 1000n), paidAfter('advice', 600n), paidAfter('reversal', 400n)]).toEqual([-2000n, -1200n, -1200n]);
  });

  it('is given back by the parts of its latest amount alone', () => {
    const dollars = (type: PaymentEvent['type'], amount: bigint, more: Partial<PaymentEvent> = {}): PaymentEvent => ({
      ...{ ...event(type), amount, currency: 'USD', billing: amount * 2n, fx: { rate: '2', markupBasisPoints: 0 } },
      ...more,
    });
    const paid = (amount: bigint): PaymentEvent =>
      dollars('authorization', amount, { singleMessage: true, decision: { billing: amount * 2n, amount, held: amount * 2n } });
    expect(paidBy(recorded(paid(50n), dollars('advice', 100n), dollars('reversal', 60n)))).toBe(-80n);
    const again = dollars('advice', 100n, { singleMessage: true });
    expect(paidBy(recorded(paid(100n), dollars('reversal', 100n), again, dollars('reversal', 20n)))).toBe(-160n);
    expect(paidBy(recorded(paid(100n), dollars('clearing', 100n), dollars('reversal', 20n)))).toBe(-160n);
  });

  it('is paid once by a refund and a correction, in either order, after a reversal', () => {
    const [refunded, corrected] = [event('refund', 2000n), event('correction_debit', 2000n)];
    const paid = [
      [refunded, corrected],
      [corrected, refunded],
    ].map((events) => paidBy(recorded(withdrawal(2000n), event('reversal', 1500n), ...events)));
    expect(paid).toEqual([-500n, -500n]);
  });

  it('never pays more than was booked, unless refunds alone do', () => {
    const kinds = ['reversal', 'advice', 'refund', 'refund_reversal', 'dispute_opened', 'dispute_won', 'dispute_lost', 'clearing'] as const;
    const step = fc.record({ type: fc.constantFrom(...kinds), billing: fc.bigInt({ min: 1n, max: 3000n }), whole: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const events = steps.map(({ type, billing, whole }) => event(type, type === 'reversal' && whole ? undefined : billing));
        const payment = recorded(withdrawal(2000n), ...events);
        const disputed = payment.dispute?.credited ?? 0n;
        expect(paidBy(payment)).toBe(payment.refunded + disputed - payment.cleared);
        expect(payment.cleared).toBeGreaterThanOrEqual(0n);
        if (disputed > 0n) expect(payment.refunded + disputed).toBeLessThanOrEqual(payment.cleared);
      }),
    );
  });
});

describe('a single message that the network approves after a reversal', () => {
  const standIn = (amount: bigint, more: Partial<PaymentEvent> = {}): PaymentEvent => ({
    ...event('advice', amount),
    singleMessage: true,
    ...more,
  });
  const at = (seconds: number) => ({ network: { transmittedAt: new Date(PAYMENT_AT.getTime() + seconds * 1000) } });

  it('is booked: the reversal was of a request that was not answered', () => {
    for (const before of [[withdrawal(2000n), event('reversal')], [event('reversal')]]) {
      const payment = recorded(...before, standIn(2000n));
      expect([paidBy(payment), usageOf(payment), paymentStatus(payment)]).toEqual([-2000n, 2000n, 'settled']);
      expect(paidBy(recorded(...before, standIn(2000n), event('reversal')))).toBe(0n);
    }
  });

  it('is cleared by what exceeds it, whatever was booked before the reversal', () => {
    const again = [withdrawal(2000n), event('reversal'), standIn(2000n)];
    expect(paidBy(recorded(...again, event('clearing', 2300n)))).toBe(-2300n);
    expect(paidBy(recorded(...again, event('advice', 2500n), event('clearing', 2500n)))).toBe(-2500n);
    expect(paidBy(recorded(withdrawal(2000n), event('reversal'), event('clearing', 2000n), standIn(2000n), event('clearing', 2300n)))).toBe(
      -4300n,
    );
  });

  it('is not booked if the network has sent it before the reversal', () => {
    const reversal = { ...event('reversal'), ...at(10) };
    expect(paidBy(recorded(reversal, standIn(2000n, at(5))))).toBe(0n);
    expect(paidBy(recorded(reversal, standIn(2000n, at(20))))).toBe(-2000n);
  });
});

describe('a single message of a fuel pump', () => {
  const asked: PaymentEvent = {
    ...{ ...event('authorization', 100n), billing: 10_000n, isEstimate: true, singleMessage: true, expiresAt: PAYMENT_AT },
    decision: { billing: 10_000n, amount: 100n, held: 10_000n, authorizationCode: '123456' },
  };

  it.each<[string, PaymentEvent[], [paid: bigint, held: bigint, status: string]]>([
    ['is held', [], [0n, 10_000n, 'pending']],
    ['is booked with what the advice tells', [event('advice', 4500n)], [-4500n, 0n, 'settled']],
    ['is booked with what the latest advice tells', [event('advice', 4500n), event('advice', 4000n)], [-4000n, 0n, 'settled']],
    ['is booked with what the clearing tells', [event('clearing', 4500n)], [-4500n, 0n, 'settled']],
    ['is booked once, in one order', [event('advice', 4500n), event('clearing', 4500n)], [-4500n, 0n, 'settled']],
    ['is booked once, in the other order', [event('clearing', 4500n), event('advice', 4500n)], [-4500n, 0n, 'settled']],
    ['is given back in part', [event('advice', 4500n), event('reversal', 500n)], [-4000n, 0n, 'settled']],
    ['is released', [event('reversal')], [0n, 0n, 'reversed']],
    ['stays released', [event('reversal'), event('advice', 4500n)], [0n, 0n, 'reversed']],
  ])('%s', (_, events, expected) => {
    const payment = recorded(asked, ...events);
    expect([paidBy(payment), payment.held, paymentStatus(payment)]).toEqual(expected);
  });
});
