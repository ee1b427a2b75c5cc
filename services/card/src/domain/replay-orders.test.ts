import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { newPayment } from './new-payment.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { holdIdOf } from './payment-ids.ts';
import { recordEvent } from './record-event.ts';
import { ordersOf } from './replay-orders.ts';

const LATER = new Date('2026-02-05T12:00:00Z');
const money = (billing: bigint) => ({ at: PAYMENT_AT, billing, amount: billing, currency: 'EUR', expiresAt: LATER });
const approved = (amount: bigint) => ({ decision: { billing: amount, amount, held: amount, authorizationCode: '123456' } });
const AUTHORIZED: PaymentEvent = { id: 'a', type: 'authorization', ...money(1000n), ...approved(1000n) };
const INCREASED: PaymentEvent = { id: 'i', type: 'increment', ...money(200n), ...approved(200n) };
const CLEARED: PaymentEvent = { id: 'c', type: 'clearing', ...money(1100n), moreExpected: true };
const REFUNDED: PaymentEvent = { id: 'r', type: 'refund', ...money(300n) };

/** The payment after its effects were carried out and confirmed. */
const confirmed = (...events: readonly PaymentEvent[]): Payment => {
  const payment = events.reduce(recordEvent, newPayment(PAYMENT_FACTS));
  const caused = payment.effects.flatMap((effect) => {
    if (effect.kind === 'post') return [effect.holdId, `posting/${effect.id}`];
    return effect.kind === 'credit' || effect.kind === 'debit' ? [effect.id] : [];
  });
  return { ...payment, effects: [], ledgerEntries: [...new Set([...payment.ledgerEntries, ...caused])] };
};

describe('the orders of a payment', () => {
  it('are those of its events, with what its approvals have held, under the same ids', () => {
    const payment = confirmed(AUTHORIZED, INCREASED, CLEARED, REFUNDED);
    const recorded = [AUTHORIZED, INCREASED, CLEARED, REFUNDED].reduce(recordEvent, newPayment(PAYMENT_FACTS)).effects;
    const holdId = holdIdOf('payment', 'a');
    expect(ordersOf(payment)).toEqual([
      { kind: 'open_hold', id: holdId, holdId, amount: 1000n, expiresAt: LATER },
      { kind: 'increase_hold', id: holdIdOf('payment', 'i'), holdId, amount: 200n, expiresAt: LATER },
      ...recorded.filter(({ kind }) => kind === 'post' || kind === 'credit'),
    ]);
  });

  it('release what an ended payment may still hold', () => {
    const last: PaymentEvent = { id: 'l', type: 'clearing', ...money(100n) };
    expect(ordersOf(confirmed(AUTHORIZED, CLEARED, last))?.at(-1)).toMatchObject({ kind: 'void_hold', holdId: holdIdOf('payment', 'a') });
  });

  it('include those that are not confirmed yet', () => {
    const payment = [AUTHORIZED, CLEARED].reduce(recordEvent, newPayment(PAYMENT_FACTS));
    expect(ordersOf(payment)?.map(({ kind }) => kind)).toEqual(['open_hold', 'post']);
  });

  it('are found for postings under the ids of earlier releases', () => {
    const payment = confirmed(AUTHORIZED, CLEARED);
    const ledgerEntries = payment.ledgerEntries.map((id) => id.replace('posting/', `hold/${payment.holdId}/posting/`));
    expect(ordersOf({ ...payment, ledgerEntries })).toEqual(ordersOf(payment));
  });

  it.each<[string, (payment: Payment) => Partial<Payment>]>([
    ['another state', () => ({ cleared: 900n })],
    ['another hold', () => ({ holdId: 'former' })],
    ['money that was never ordered', ({ ledgerEntries }) => ({ ledgerEntries: ledgerEntries.slice(0, -1) })],
    ['money that is ordered no more', ({ ledgerEntries }) => ({ ledgerEntries: [...ledgerEntries, 'former'] })],
  ])('are unknown where the events lead to %s', (_, changed) => {
    const payment = confirmed(AUTHORIZED, CLEARED, REFUNDED);
    expect(ordersOf({ ...payment, ...changed(payment) })).toBeUndefined();
  });
});
