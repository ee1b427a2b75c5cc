import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { programSchema } from '../program-config.ts';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { CLEARING_TOLERANCES, isFuelRequest, overTolerance } from './merchant-rules.ts';
import { newPayment } from './new-payment.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { recordEvent } from './record-event.ts';

const PERCENT = { clearingTolerance: { tips: 20, travel: 15, others: 0 }, transitUpTo: 1500n };
const LATER = new Date('2026-02-05T12:00:00Z');

const of = (type: PaymentEvent['type'], billing: bigint, more: Partial<PaymentEvent> = {}): PaymentEvent => ({
  ...{ id: `${type} ${billing} ${Math.random()}`, type, at: PAYMENT_AT, amount: billing, currency: 'EUR', billing, expiresAt: LATER },
  ...more,
});
const approved = (billing: bigint, held = billing) => ({ decision: { billing, amount: billing, held } });
const paid = (categoryCode: string, ...events: PaymentEvent[]): Payment =>
  [of('authorization', 1000n, approved(1000n)), ...events].reduce(
    recordEvent,
    newPayment({ ...PAYMENT_FACTS, merchant: { categoryCode } }),
  );

describe('a clearing above the authorization', () => {
  it.each([
    ['5812', 1200n, undefined],
    ['5812', 1201n, 1n],
    ['4121', 1200n, undefined],
    ['7011', 1151n, 1n],
    ['5411', 1001n, 1n],
    ['4111', 1500n, undefined],
    ['4112', 1501n, 1n],
    ['4131', 1600n, 100n],
    // A charging station increases its authorization.
    ['5552', 1100n, 100n],
    ['', 1500n, 500n],
  ])('at a merchant of category %s is tolerated by the table: %d', (category, billing, over) => {
    expect(overTolerance(PERCENT, paid(category), of('clearing', billing))).toBe(over);
  });

  it('exceeds nothing where it is worth less than a minor unit', () => {
    const yen = { amount: 1000n, currency: 'JPY' };
    const payment = paid('5411', of('clearing', 660n, { ...yen, amount: 1100n, moreExpected: true }));
    const [first, ...others] = payment.events;
    const inYen = {
      ...payment,
      events: [{ ...first, ...yen, decision: { billing: 600n, amount: 1000n, held: 600n } }, ...others],
    } as Payment;
    expect(overTolerance(PERCENT, { ...inYen, held: 0n, overCleared: 60n }, of('clearing', 1n, { ...yen, amount: 1n }))).toBeUndefined();
  });

  it('of transit may exceed a nominal authorization up to the amount of the program, and a larger one by nothing', () => {
    const of4111 = (...events: PaymentEvent[]) =>
      events.reduce(recordEvent, newPayment({ ...PAYMENT_FACTS, merchant: { categoryCode: '4111' } }));
    const nominal = of4111(of('authorization', 10n, approved(10n)));
    expect(overTolerance(PERCENT, nominal, of('clearing', 1500n))).toBeUndefined();
    expect(overTolerance(PERCENT, recordEvent(nominal, of('force_post', 1200n)), of('clearing', 1500n))).toBeUndefined();
    expect(overTolerance(PERCENT, recordEvent(nominal, of('clearing', 900n, { moreExpected: true })), of('clearing', 700n))).toBe(100n);
    expect(overTolerance(PERCENT, of4111(of('authorization', 4000n, approved(4000n))), of('clearing', 4001n))).toBe(1n);
  });

  it('is judged by all that was authorized and cleared', () => {
    const increased = paid('5411', of('increment', 500n, approved(500n)));
    expect(overTolerance(PERCENT, increased, of('clearing', 1500n))).toBeUndefined();
    const first = paid('5411', of('clearing', 900n, { moreExpected: true }));
    expect(overTolerance(PERCENT, first, of('clearing', 100n))).toBeUndefined();
    expect(overTolerance(PERCENT, first, of('clearing', 150n))).toBe(50n);
    const second = recordEvent(first, of('clearing', 400n, { moreExpected: true }));
    expect(overTolerance(PERCENT, second, of('clearing', 200n))).toBe(200n);
  });

  it('is judged in the currency of the transaction, whatever the rate is now', () => {
    const dollars = (type: PaymentEvent['type'], amount: bigint, billing: bigint, more: Partial<PaymentEvent> = {}) =>
      of(type, billing, { amount, currency: 'USD', ...more });
    const abroad = [dollars('authorization', 10_000n, 9090n, { decision: { billing: 9090n, amount: 10_000n, held: 9090n } })];
    const payment = (...events: PaymentEvent[]) => [...abroad, ...events].reduce(recordEvent, newPayment(PAYMENT_FACTS));
    expect(overTolerance(PERCENT, payment(), dollars('clearing', 10_000n, 9100n))).toBeUndefined();
    expect(overTolerance(PERCENT, payment(), dollars('clearing', 12_000n, 12_000n))).toBe(2000n);
    expect(overTolerance(PERCENT, payment(), dollars('clearing', 12_000n, 9000n))).toBe(1500n);
    expect(overTolerance(PERCENT, payment(), of('clearing', 9100n))).toBe(10n);
    const reduced = payment(dollars('reversal', 2000n, 1818n));
    expect(overTolerance(PERCENT, reduced, dollars('clearing', 8000n, 7300n))).toBeUndefined();
    expect(overTolerance(PERCENT, reduced, dollars('clearing', 10_000n, 9000n))).toBe(1800n);
    const first = payment(dollars('clearing', 6000n, 5500n, { moreExpected: true }));
    expect(overTolerance(PERCENT, first, dollars('clearing', 4000n, 3700n))).toBeUndefined();
    expect(overTolerance(PERCENT, first, dollars('clearing', 5000n, 4500n))).toBe(900n);
    const unit = of('authorization', 9000n, { amount: 100n, isEstimate: true, decision: { billing: 9000n, amount: 100n, held: 9000n } });
    expect(overTolerance(PERCENT, recordEvent(newPayment(PAYMENT_FACTS), unit), of('clearing', 4500n))).toBeUndefined();
  });

  it('is none without an authorization, or after its end', () => {
    expect(overTolerance(PERCENT, undefined, of('clearing', 1n))).toBeUndefined();
    expect(overTolerance(PERCENT, paid('5411', of('reversal', 1000n)), of('clearing', 1n))).toBeUndefined();
    expect(overTolerance(PERCENT, paid('5411'), of('force_post', 5000n))).toBeUndefined();
  });

  it('has its table in the documentation for processors, with the defaults of the program', async () => {
    const page = await readFile(new URL('../../../../docs/processor.md', import.meta.url), 'utf8');
    const { clearingTolerance } = programSchema.parse({});
    const rows = CLEARING_TOLERANCES.map(({ payments, categories, percent }) => {
      const codes = categories?.map(([first, last]) => (first === last ? first : `${first}–${last}`)).join(', ');
      return `| ${payments} | ${codes ?? 'all'} | ${clearingTolerance[percent]} | \`${percent}\` |`;
    });
    expect(page).toContain(`| --- | --- | --- | --- |\n${rows.join('\n')}\n`);
  });
});

describe('a fuel pump', () => {
  it.each([
    [{ amount: 100n, decimals: 2 }, '5542', true],
    [{ amount: 1n, decimals: 0 }, '5542', true],
    [{ amount: 101n, decimals: 2 }, '5542', false],
    [{ amount: 100n, decimals: 2 }, '5541', false],
  ])('that asks with %o at category %s does not know the amount: %s', (money, categoryCode, isEstimate) => {
    expect(isFuelRequest(money, { categoryCode })).toBe(isEstimate);
  });

  const pumped = (...events: PaymentEvent[]) =>
    [
      of('authorization', 100n, { billing: 9000n, isEstimate: true, decision: { billing: 9000n, amount: 100n, held: 9000n } }),
      ...events,
    ].reduce(recordEvent, newPayment(PAYMENT_FACTS));

  it.each<[string, PaymentEvent[], bigint]>([
    ['the advice sets', [of('advice', 4500n)], 4500n],
    ['a reversal of the unit releases', [of('reversal', 100n)], 0n],
    ['a reversal after the advice leaves', [of('advice', 4500n), of('reversal', 500n)], 4000n],
  ])('holds what %s', (_what, events, held) => {
    expect(pumped(...events).held).toBe(held);
  });
});
