import { describe, expect, it } from 'vitest';
import type { Payment, PaymentFacts } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { newPayment, recordEvent } from './record-event.ts';

const AT = new Date('2026-01-31T12:00:00Z');
const FACTS: PaymentFacts = {
  id: 'payment',
  processor: 'processor',
  cardId: 'card',
  accountId: 'account',
  userId: 'user',
  kind: 'payment',
  createdAt: AT,
};

const event = (type: PaymentEvent['type'], more: Partial<PaymentEvent> = {}): PaymentEvent => ({ id: type, type, at: AT, ...more });
const recorded = (...events: readonly PaymentEvent[]): Payment => events.reduce(recordEvent, newPayment(FACTS));

const clearing = event('clearing', { billing: 900n });
const dispute = event('dispute_opened', { dispute: { id: 'dispute', reason: 'fraud', provisionalCredit: 900n } });

describe('a dispute', () => {
  it.each([
    [0n, 900n],
    [600n, 300n],
    [900n, 0n],
    [1000n, 0n],
  ])('that was calculated before a refund of %s credits %s', (refunded, credited) => {
    const refunds = refunded === 0n ? [] : [event('refund', { billing: refunded })];
    const payment = recorded(clearing, ...refunds, dispute);
    expect(payment.dispute).toMatchObject({ provisionalCredit: credited, status: 'submitted' });
    const credits = payment.effects.filter((effect) => effect.kind === 'credit' && effect.from === 'disputes');
    expect(credits.map((effect) => ('amount' in effect ? effect.amount : 0n))).toEqual(credited === 0n ? [] : [credited]);
  });

  it('that is lost takes back what it has credited', () => {
    const payment = recorded(clearing, event('refund', { billing: 600n }), dispute, event('dispute_lost'));
    expect(payment.effects.at(-1)).toMatchObject({ kind: 'debit', to: 'disputes', amount: 300n });
  });
});
