import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { newPayment } from './new-payment.ts';
import { isCredit, type Payment, paymentAmount, paymentStatus } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { recordEvent } from './record-event.ts';

const event = (type: PaymentEvent['type'], billing: bigint): PaymentEvent => ({ id: `${type} ${billing}`, type, at: PAYMENT_AT, billing });
const recorded = (...events: readonly PaymentEvent[]): Payment =>
  events.reduce(recordEvent, newPayment({ ...PAYMENT_FACTS, kind: 'refund' }));
const shown = (payment: Payment) => [paymentStatus(payment), paymentAmount(payment), isCredit(payment)];

describe('the reversal of a refund', () => {
  it('is a debit until the refund arrives', () => {
    const reversal = event('refund_reversal', 73n);
    expect(shown(recorded(reversal))).toEqual(['settled', 73n, false]);
    expect(shown(recorded(reversal, event('refund', 50n)))).toEqual(['settled', 23n, false]);
    expect(shown(recorded(reversal, event('refund', 73n)))).toEqual(['reversed', 0n, true]);
    expect(shown(recorded(reversal, event('refund', 100n)))).toEqual(['settled', 27n, true]);
  });

  it('orders nothing where it is worth less than a minor unit', () => {
    expect(recorded(event('refund_reversal', 0n)).effects.filter(({ kind }) => kind === 'debit')).toEqual([]);
  });

  it('leaves nothing of a refund that has arrived', () => {
    expect(shown(recorded(event('refund', 73n), event('refund_reversal', 73n)))).toEqual(['reversed', 0n, true]);
  });
});
