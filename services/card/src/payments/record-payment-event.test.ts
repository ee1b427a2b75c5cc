import { describe, expect, it } from 'vitest';
import { newPayment } from '../domain/new-payment.ts';
import type { Payment } from '../domain/payment.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import { recordEvent } from '../domain/record-event.ts';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { createEventRecorder } from './record-payment-event.ts';

const event = (type: PaymentEvent['type'], id: string, billing: bigint, more: Partial<PaymentEvent> = {}): PaymentEvent => ({
  ...{ id, type, at: PAYMENT_AT, amount: billing, currency: 'EUR', billing, expiresAt: PAYMENT_AT },
  ...more,
});
const approved = (type: 'authorization' | 'increment', billing: bigint) =>
  event(type, type, billing, { decision: { billing, amount: billing, held: billing } });
const part = (id: string, billing: bigint) => event('clearing', id, billing, { moreExpected: true });

/** Two processes that record on one payment, which each has read before any event of the others. @returns the amounts of its over-clearings, in the order of its events */
const race = async (...events: readonly PaymentEvent[]): Promise<[id: string, over: bigint][]> => {
  const begun = recordEvent(newPayment(PAYMENT_FACTS), approved('authorization', 1000n));
  let stored: Payment = begun;
  const payments = {
    find: async () => stored,
    save: async (current: Payment | undefined, next: Payment) => {
      await Promise.resolve();
      if (current?.revision !== stored.revision) return false;
      stored = next;
      return true;
    },
  };
  const program = { clearingTolerance: { tips: 20, travel: 15, others: 0 }, transitUpTo: 0n };
  const processes = [1, 2].map(() => createEventRecorder({ payments, cardholders: { isErased: async () => false }, program }));
  await Promise.all(events.map((one, index) => processes[index % 2]?.(PAYMENT_FACTS, one, begun)));
  return stored.effects.flatMap((effect) => (effect.kind === 'raise' ? [[effect.eventId, effect.amount]] : []));
};

describe('clearings that are recorded at once', () => {
  it('exceed what all before them have left of the authorization', async () => {
    expect(await race(part('a', 600n), part('b', 600n), part('c', 300n))).toEqual([
      ['b', 200n],
      ['c', 300n],
    ]);
  });

  it('exceed nothing that an increment before them covers', async () => {
    expect(await race(approved('increment', 500n), part('a', 1500n))).toEqual([]);
  });

  it('exceed what a reversal before them has left', async () => {
    expect(await race(event('reversal', 'reversal', 400n), part('a', 900n))).toEqual([['a', 300n]]);
  });
});
