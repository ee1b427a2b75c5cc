import { CodedError } from '@florin/rpc/errors';
import { quietLogger } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import type { Exception, NewException } from '../domain/exception.ts';
import type { NetworkData } from '../domain/network-data.ts';
import { newPayment } from '../domain/new-payment.ts';
import type { Payment, PaymentFacts } from '../domain/payment.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import { claimIdOf } from '../domain/payment-ids.ts';
import { recordEvent } from '../domain/record-event.ts';
import type { EventClaim } from '../store/event-claims.ts';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import type { ReportInput } from './event-input.ts';
import { createReporting } from './report-event.ts';
import { Suspense } from './suspense.ts';

/** A clearing as a processor reports it: of one amount, under a reference of the acquirer. */
const clearing = (eventId: string, transactionId: string, acquirerReference: string, cardId = 'card'): ReportInput => ({
  ...{ processor: 'processor', eventId, type: 'clearing', transactionId, cardId, network: { acquirerReference } },
  money: { amount: 900n, currency: 'EUR', decimals: 2 },
});

/** A single message that the network has approved in our place, and what takes it back: all without an amount. */
const ofSingleMessage = (type: 'advice' | 'reversal', eventId: string, amount?: bigint): ReportInput => ({
  ...{ processor: 'processor', eventId, type, transactionId: 'transaction', cardId: 'card' },
  ...(type === 'advice' ? { singleMessage: true } : {}),
  ...(amount === undefined ? {} : { money: { amount, currency: 'EUR', decimals: 2 } }),
});

/** Reporting where every card is of one account, and a transaction id is the payment's. An `unreadable` event has no rate; no card `isUnknown`, unless stated. */
const reportingInMemory = () => {
  const claimed = new Map<string, EventClaim>();
  const recorded = new Map<string, Payment>();
  const raised = new Map<string, Exception>();
  const entries = new Map<string, { amount: bigint; reference: string }>();
  const state = { unreadable: false, isUnknown: false };
  const claims = {
    find: async (id: string) => claimed.get(id),
    claim: async (claim: EventClaim) => {
      const first = claimed.get(claim.id);
      if (first !== undefined && first.inputHash !== claim.inputHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      if (first === undefined) claimed.set(claim.id, claim);
      return { ...(first ?? claim), repeated: first !== undefined };
    },
  };
  const claimOf = ({ processor, eventId, transactionId, network, money }: ReportInput, paymentId: string): EventClaim => ({
    ...{ id: claimIdOf(processor, eventId), paymentId, at: PAYMENT_AT },
    inputHash: JSON.stringify([transactionId, network, String(money?.amount)]),
  });
  const prepare = async (input: ReportInput) => {
    if (state.isUnknown) throw new CodedError('CARD_NOT_FOUND');
    if (state.unreadable) throw new CodedError('CURRENCY_NOT_SUPPORTED');
    const { eventId, type, transactionId = '', cardId, network = {}, money, singleMessage } = input;
    const facts = { ...PAYMENT_FACTS, id: transactionId, cardId };
    const amounts = money === undefined ? {} : { amount: money.amount, currency: money.currency, billing: money.amount };
    const event: PaymentEvent = { id: eventId, type, at: PAYMENT_AT, network, ...amounts, ...(singleMessage ? { singleMessage } : {}) };
    return { claim: claimOf(input, transactionId), facts, event, payment: recorded.get(transactionId) };
  };
  const record = async (facts: PaymentFacts, event: PaymentEvent) => {
    const payment = recordEvent(recorded.get(facts.id) ?? newPayment(facts), event);
    recorded.set(facts.id, payment);
    return payment;
  };
  const exceptions = {
    find: async (id: string) => raised.get(id),
    raise: async (exception: NewException) => {
      if (!raised.has(exception.id)) raised.set(exception.id, { ...exception, status: 'open', createdAt: PAYMENT_AT });
    },
    change: async (id: string, eventId: string, next: (standing: bigint) => bigint) => {
      const exception = raised.get(id) as Exception;
      const { suspended = 0n, changes = [] } = exception;
      const standing = changes.reduce((sum, { amount }) => sum + amount, suspended);
      const change = changes.find((one) => one.eventId === eventId) ?? { eventId, amount: next(standing) - standing };
      if (!changes.includes(change)) raised.set(id, { ...exception, changes: [...changes, change] });
      return change.amount;
    },
    confirmBooked: async () => undefined,
  };
  const program = { decimals: 2, token: { symbol: 'EURe', decimals: 2 }, expiryDays: {}, clearingTolerance: {}, transitUpTo: 0n };
  const suspense = new Suspense({
    preparation: { claimOf, billingOf: async ({ money }: ReportInput) => money?.amount },
    ...{ claims, exceptions, program, payments: { find: async (id: string) => recorded.get(id) } },
    cards: { find: async (id: string) => (state.isUnknown ? undefined : { ...PAYMENT_FACTS, id }) },
    holds: {
      move: async ({ entryId, to, ...order }: { entryId: string; to: string; amount: bigint; reference: string }) => {
        const amount = to === 'suspense' ? order.amount : -order.amount;
        const entry = entries.get(entryId) ?? { amount, reference: order.reference };
        if (entry.amount !== amount || entry.reference !== order.reference) throw new Error('the entry has other content');
        entries.set(entryId, entry);
      },
    },
  } as unknown as ConstructorParameters<typeof Suspense>[0]);
  const parts = {
    preparation: { prepare },
    ...{ claims, record, suspense, program },
    effects: { run: async () => 'done' },
    background: () => undefined,
  };
  const reporting = createReporting(parts as unknown as Parameters<typeof createReporting>[0]);
  return {
    state,
    /** The service is restored from before all of it; the ledger is not. */
    lose: () => {
      for (const stored of [claimed, recorded, raised]) stored.clear();
    },
    /** @returns the payment, or the kind of the exception */
    report: async (input: ReportInput): Promise<string | undefined> => {
      const reported = await reporting.book(input, quietLogger);
      return 'payment' in reported ? reported.payment.id : raised.get(reported.exceptionId)?.kind;
    },
    cleared: (id: string): bigint => recorded.get(id)?.cleared ?? 0n,
    suspended: (): bigint => [...entries.values()].reduce((sum, { amount }) => sum + amount, 0n),
    /** The amount in suspense for each exception. */
    raised: () => [...raised.values()].map(({ kind, eventType, suspended }) => [kind, eventType, suspended]),
  };
};

it('what an acquirer presents again belongs to the payment of its first presentment, also when that arrives once more', async () => {
  const { report } = reportingInMemory();
  expect(await report(clearing('a', 'first', 'R'))).toBe('first');
  expect(await report(clearing('b', 'second', 'R'))).toBe('first');
  expect(await report(clearing('b', 'second', 'R'))).toBe('first');
  expect(await report(clearing('c', 'second', 'other'))).toBe('second');
});

it('an event whose id was used for another content claims no presentment', async () => {
  const { report } = reportingInMemory();
  await report(clearing('a', 'first', 'R'));
  await expect(report(clearing('a', 'wrong', 'S'))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  expect(await report(clearing('b', 'right', 'S'))).toBe('right');
});

it('presentments to two cards of one account are two', async () => {
  const { report } = reportingInMemory();
  expect(await report(clearing('a', 'first', 'R'))).toBe('first');
  expect(await report(clearing('b', 'second', 'R', 'other card'))).toBe('second');
});

describe('what an acquirer presents again', () => {
  it('is in suspense once', async () => {
    const { state, report, suspended, raised } = reportingInMemory();
    state.unreadable = true;
    for (const _ of [1, 2]) {
      expect(await report(clearing('a', 'first', 'R'))).toBe('unknown_rate');
      expect(await report(clearing('b', 'second', 'R'))).toBe('duplicate');
    }
    expect(await report(clearing('c', 'second', 'other'))).toBe('unknown_rate');
    expect([suspended(), raised().length]).toEqual([-1800n, 3]);
  });

  it('is booked once where only one of both could be read', async () => {
    const { state, report, cleared, suspended } = reportingInMemory();
    expect(await report(clearing('a', 'first', 'R'))).toBe('first');
    state.unreadable = true;
    expect(await report(clearing('b', 'second', 'R'))).toBe('duplicate');
    expect(await report(clearing('c', 'third', 'S'))).toBe('unknown_rate');
    state.unreadable = false;
    for (const _ of [1, 2]) expect(await report(clearing('d', 'fourth', 'S'))).toBe('duplicate');
    expect([cleared('first'), cleared('third'), cleared('fourth'), suspended()]).toEqual([900n, 0n, 0n, -900n]);
  });
});

describe('what an acquirer presents again to a card that was not known', () => {
  it('is booked once when the card is known by then', async () => {
    const { state, report, cleared, suspended } = reportingInMemory();
    state.isUnknown = true;
    expect(await report(clearing('a', 'first', 'R'))).toBe('unknown_card');
    state.isUnknown = false;
    for (const _ of [1, 2]) {
      expect(await report(clearing('b', 'second', 'R'))).toBe('duplicate');
      expect(await report(clearing('a', 'first', 'R'))).toBe('unknown_card');
    }
    state.unreadable = true;
    expect(await report(clearing('c', 'third', 'R'))).toBe('duplicate');
    expect([cleared('first'), cleared('second'), suspended()]).toEqual([0n, 0n, -900n]);
  });

  it('is booked once when the reports come in another order after a restore of the payments', async () => {
    const { state, report, lose, suspended, raised } = reportingInMemory();
    state.isUnknown = true;
    await report(clearing('a', 'first', 'R'));
    await report(clearing('b', 'second', 'R'));
    lose();
    expect(await report(clearing('b', 'second', 'R'))).toBe('unknown_card');
    expect(await report(clearing('a', 'first', 'R'))).toBe('duplicate');
    expect([suspended(), raised()]).toEqual([
      -900n,
      [
        ['unknown_card', 'clearing', -900n],
        ['duplicate', 'clearing', undefined],
      ],
    ]);
  });
});

describe('a single message in suspense', () => {
  const suspendedAfter = async (...inputs: readonly ReportInput[]) => {
    const { state, report, suspended } = reportingInMemory();
    state.unreadable = true;
    // Each is sent twice.
    for (const input of [ofSingleMessage('advice', 'a', 900n), ...inputs].flatMap((one) => [one, one])) {
      expect(await report(input)).toBe('unknown_rate');
    }
    return suspended();
  };

  it('is taken back by a reversal, in part or whole, once', async () => {
    expect(await suspendedAfter()).toBe(-900n);
    expect(await suspendedAfter(ofSingleMessage('reversal', 'b'))).toBe(0n);
    expect(await suspendedAfter(ofSingleMessage('reversal', 'b', 400n))).toBe(-500n);
    expect(await suspendedAfter(ofSingleMessage('reversal', 'b', 400n), ofSingleMessage('reversal', 'c', 600n))).toBe(0n);
    expect(await suspendedAfter(ofSingleMessage('reversal', 'b'), ofSingleMessage('reversal', 'c'))).toBe(0n);
  });

  it('is taken back once when the network marks the repeat of a reversal', async () => {
    const { state, report, suspended } = reportingInMemory();
    state.unreadable = true;
    await report(ofSingleMessage('advice', 'a', 900n));
    const traced = (eventId: string, network: NetworkData) => report({ ...ofSingleMessage('reversal', eventId, 400n), network });
    expect(await traced('b', { traceNumber: '1' })).toBe('unknown_rate');
    expect(await traced('c', { traceNumber: '1', repeat: true })).toBe('duplicate');
    expect(suspended()).toBe(-500n);
    expect(await traced('d', { traceNumber: '2', repeat: true })).toBe('unknown_rate');
    expect(suspended()).toBe(-100n);
  });

  it('is replaced by an advice, also after a reversal', async () => {
    expect(await suspendedAfter(ofSingleMessage('advice', 'b', 600n))).toBe(-600n);
    expect(await suspendedAfter(ofSingleMessage('advice', 'b', 600n), ofSingleMessage('reversal', 'c'))).toBe(0n);
    expect(await suspendedAfter(ofSingleMessage('reversal', 'b'), ofSingleMessage('advice', 'c', 700n))).toBe(-700n);
  });

  it('leaves suspense with an exception of its own when a later report is booked on the payment', async () => {
    const { state, report, cleared, suspended, raised } = reportingInMemory();
    state.unreadable = true;
    await report(ofSingleMessage('advice', 'a', 900n));
    state.unreadable = false;
    for (const _ of [1, 2]) expect(await report(ofSingleMessage('advice', 'b', 800n))).toBe('transaction');
    expect([cleared('transaction'), suspended()]).toEqual([800n, 0n]);
    expect(raised()).toEqual([
      ['unknown_rate', 'advice', -900n],
      ['unknown_rate', 'advice', 900n],
    ]);
  });

  it('is not what a reversal is about that the processor undoes, or of which nothing is in suspense', async () => {
    const { state, report } = reportingInMemory();
    state.unreadable = true;
    await expect(report(ofSingleMessage('reversal', 'a'))).rejects.toMatchObject({ code: 'CURRENCY_NOT_SUPPORTED' });
    await report(ofSingleMessage('advice', 'b', 900n));
    const undo = { ...ofSingleMessage('reversal', 'c'), undoneRequestId: 'request' };
    await expect(report(undo)).rejects.toMatchObject({ code: 'CURRENCY_NOT_SUPPORTED' });
  });
});
