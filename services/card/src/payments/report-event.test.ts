import { CodedError } from '@florin/rpc/errors';
import { quietLogger } from '@florin/rpc/testing';
import { expect, it } from 'vitest';
import { newPayment } from '../domain/new-payment.ts';
import type { Payment, PaymentFacts } from '../domain/payment.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import { claimIdOf } from '../domain/payment-ids.ts';
import { recordEvent } from '../domain/record-event.ts';
import type { EventClaim } from '../store/event-claims.ts';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import type { ReportInput } from './event-input.ts';
import { createReporting } from './report-event.ts';

/** A clearing as a processor reports it: of one amount, under a reference of the acquirer. */
const clearing = (eventId: string, transactionId: string, acquirerReference: string, cardId = 'card'): ReportInput => ({
  ...{ processor: 'processor', eventId, type: 'clearing', transactionId, cardId, network: { acquirerReference } },
  money: { amount: 900n, currency: 'EUR', decimals: 2 },
});

/** Reporting where every card is of one account, and a transaction id is the payment's. */
const reportingInMemory = () => {
  const claimed = new Map<string, EventClaim>();
  const recorded = new Map<string, Payment>();
  const claims = {
    find: async (id: string) => claimed.get(id),
    claim: async (claim: EventClaim) => {
      const first = claimed.get(claim.id);
      if (first !== undefined && first.inputHash !== claim.inputHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      if (first === undefined) claimed.set(claim.id, claim);
      return { ...(first ?? claim), repeated: first !== undefined };
    },
  };
  const prepare = async ({ processor, eventId, transactionId = '', cardId, network = {}, money }: ReportInput) => {
    const facts = { ...PAYMENT_FACTS, id: transactionId, cardId };
    const event: PaymentEvent = { id: eventId, type: 'clearing', at: PAYMENT_AT, amount: money?.amount ?? 0n, network };
    const inputHash = JSON.stringify([transactionId, network]);
    const claim = { id: claimIdOf(processor, eventId), inputHash, paymentId: transactionId, at: PAYMENT_AT };
    return { claim, facts, event, payment: recorded.get(transactionId) };
  };
  const record = async (facts: PaymentFacts, event: PaymentEvent) => {
    const payment = recordEvent(recorded.get(facts.id) ?? newPayment(facts), event);
    recorded.set(facts.id, payment);
    return payment;
  };
  const parts = {
    preparation: { prepare },
    claims,
    record,
    effects: { run: async () => 'done' },
    program: {},
    background: () => undefined,
  };
  const reporting = createReporting(parts as unknown as Parameters<typeof createReporting>[0]);
  return async (input: ReportInput): Promise<string> => (await reporting.report(input, quietLogger)).id;
};

it('what an acquirer presents again belongs to the payment of its first presentment, also when that arrives once more', async () => {
  const report = reportingInMemory();
  expect(await report(clearing('a', 'first', 'R'))).toBe('first');
  expect(await report(clearing('b', 'second', 'R'))).toBe('first');
  expect(await report(clearing('b', 'second', 'R'))).toBe('first');
  expect(await report(clearing('c', 'second', 'other'))).toBe('second');
});

it('an event whose id was used for another content claims no presentment', async () => {
  const report = reportingInMemory();
  await report(clearing('a', 'first', 'R'));
  await expect(report(clearing('a', 'wrong', 'S'))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  expect(await report(clearing('b', 'right', 'S'))).toBe('right');
});

it('presentments to two cards of one account are two', async () => {
  const report = reportingInMemory();
  expect(await report(clearing('a', 'first', 'R'))).toBe('first');
  expect(await report(clearing('b', 'second', 'R', 'other card'))).toBe('second');
});
