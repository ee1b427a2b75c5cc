import { quietLogger } from '@florin/rpc/testing';
import { expect, it } from 'vitest';
import { disputesOf, MAX_DISPUTES } from '../domain/dispute.ts';
import { newPayment } from '../domain/new-payment.ts';
import type { Payment } from '../domain/payment.ts';
import { recordEvent } from '../domain/record-event.ts';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { Disputes } from './disputes.ts';

const disputes = new Disputes({
  cards: { find: async () => undefined },
  payments: { findRefundsOf: async () => [] },
  record: async (payment: Payment, event: Parameters<typeof recordEvent>[1]) => recordEvent(payment, event),
  effects: { run: async () => 'done' },
  program: { provisionalCreditPercent: 0, provisionalCreditLimits: { disputes: 0, days: 0, clearedWithinDays: 0 } },
  runtime: { now: () => PAYMENT_AT },
} as unknown as ConstructorParameters<typeof Disputes>[0]);

const open = (payment: Payment, id: string) => disputes.open(payment, { id, reason: 'other', text: '' }, quietLogger);

it('a payment that is disputed and given up again and again has a limited number of disputes', async () => {
  let payment = recordEvent(newPayment(PAYMENT_FACTS), { id: 'clearing', type: 'clearing', at: PAYMENT_AT, billing: 900n });
  for (let index = 0; index < MAX_DISPUTES; index += 1) {
    const opened = await open(payment, `${index}`);
    payment = recordEvent(opened, { id: `withdraw ${index}`, type: 'dispute_withdrawn', at: PAYMENT_AT, dispute: { id: `${index}` } });
  }
  await expect(open(payment, 'one more')).rejects.toMatchObject({ code: 'DISPUTE_NOT_AVAILABLE' });
  // A repeat of one that was opened is answered as before.
  expect(disputesOf(await open(payment, '0'))).toHaveLength(MAX_DISPUTES);
});
