import { quietLogger } from '@florin/rpc/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../domain/card.ts';
import type { PaymentEventType } from '../domain/payment-event.ts';
import { claimIdOf, paymentIdOf } from '../domain/payment-ids.ts';
import type { Program } from '../domain/program.ts';
import type { Rate } from '../ports/rate-source.ts';
import type { EventInput } from './event-input.ts';
import { createPreparation, type Preparation, type PreparationParts } from './prepare-event.ts';

const NOW = new Date('2026-03-11T12:00:00Z');
const CARD = { id: 'card', accountId: 'account', userId: 'user', seriesId: 'series' } as unknown as Card;
const WON = { amount: 3n, currency: 'KRW', decimals: 0 };

const RATES: Readonly<Record<string, Rate>> = { KRW: { rate: '0.0006' }, TRY: { rate: '0.02', date: '2026-01-02', isOld: true } };

const KNOWN = { id: paymentIdOf('processor', 'known'), kind: 'payment', events: [{ id: 'first', type: 'authorization' }] };
const FACTS = { id: 'payment', merchant: { id: 'M-1' } };
const CLAIMS = [
  { id: claimIdOf('processor', 'request'), paymentId: 'payment', request: { facts: FACTS } },
  { id: claimIdOf('processor', 'first'), paymentId: 'payment' },
  { id: claimIdOf('processor', 'suspended'), paymentId: 'exception', suspended: true },
];

const input = (more: object = {}): EventInput =>
  ({
    processor: 'processor',
    eventId: 'event',
    type: 'authorization',
    transactionId: 'transaction',
    cardId: CARD.id,
    ...more,
  }) as EventInput;

let clockAhead: number;
let preparation: Preparation;
beforeEach(() => {
  clockAhead = 60;
  const parts = {
    cards: { find: async (id: string) => (id === CARD.id ? CARD : undefined), findSeries: async () => [CARD.id] },
    payments: {
      find: async (id: string) => (id === KNOWN.id ? KNOWN : undefined),
      findRecent: async () => [],
      findByTransaction: async () => [],
    },
    claims: { find: async (id: string) => CLAIMS.find((claim) => claim.id === id) },
    book: { look: async (id: string) => ({ id, limits: {}, controls: {}, entries: [], clockAhead, revision: 1 }) },
    rates: { find: async (currency: string) => RATES[currency] },
    reference: { find: async () => ({ rate: '0.0006', date: '2026-03-10' }) },
    program: { currency: 'EUR', decimals: 2, markupBasisPoints: 100 } as unknown as Program,
    runtime: { now: () => NOW },
    logger: quietLogger,
  };
  preparation = createPreparation(parts as unknown as PreparationParts);
});

describe('what is foreseen of an event', () => {
  it('is nothing before the card was read, and without a transaction id', async () => {
    expect(await preparation.foresee(input())).toBeUndefined();
    await preparation.prepare(input());
    expect(await preparation.foresee(input())).toBeDefined();
    expect(await preparation.foresee(input({ transactionId: undefined }))).toBeUndefined();
    expect(await preparation.foresee(input({ cardId: 'another' }))).toBeUndefined();
  });

  it('is what a reading gives', async () => {
    const request = input({ money: { amount: 100n, currency: 'EUR', decimals: 2 }, merchant: { id: 'M-1' }, entryMode: 'chip', atm: true });
    const { claim, facts, event } = await preparation.prepare(request);
    expect(facts).toMatchObject({ accountId: 'account', userId: 'user', seriesId: 'series', createdAt: new Date(NOW.getTime() + 60_000) });
    expect(await preparation.foresee(request)).toEqual({ claim, facts, event });
  });

  it('has the id and the content of the event whatever the clock of the card is', async () => {
    await preparation.prepare(input());
    const before = await preparation.foresee(input());
    clockAhead = 3600;
    const { claim } = await preparation.prepare(input());
    expect(before?.claim).toEqual(claim);
  });

  it('is the error of an amount that cannot be billed', async () => {
    await preparation.prepare(input());
    const request = input({ money: { amount: 1n, currency: 'ISK', decimals: 0 } });
    await expect(preparation.foresee(request)).rejects.toMatchObject({ code: 'CURRENCY_NOT_SUPPORTED' });
  });
});

describe('a reversal of a request under the id of another transaction', () => {
  const undo = async (undoneRequestId: string, transactionId: string) => {
    const { claim, facts } = await preparation.prepare(input({ type: 'reversal', undoneRequestId, transactionId }));
    return [claim.paymentId, facts.merchant?.id];
  };

  it.each(['unknown', 'known'])('belongs to the payment of the request, not recorded yet, where the transaction is %s', async (other) => {
    expect(await undo('request', other)).toEqual(['payment', 'M-1']);
  });

  it('belongs to its own payment where that has the request, and is none of a report in suspense', async () => {
    expect(await undo('first', 'known')).toEqual([paymentIdOf('processor', 'known'), undefined]);
    expect(await undo('suspended', 'unknown')).toEqual([paymentIdOf('processor', 'unknown'), undefined]);
  });
});

describe('an amount that is worth less than a minor unit', () => {
  it.each<PaymentEventType>(['authorization', 'increment', 'advice', 'clearing', 'force_post', 'correction_debit', 'reversal'])(
    'counts as one minor unit in %s',
    async (type) => {
      expect((await preparation.prepare(input({ type, money: WON }))).event.billing).toBe(1n);
    },
  );

  it.each<PaymentEventType>(['refund', 'refund_reversal', 'credit', 'credit_announced', 'correction_credit'])(
    'counts as nothing in %s, so that many of them never add up to more than they are worth',
    async (type) => {
      expect((await preparation.prepare(input({ type, money: WON }))).event.billing).toBe(0n);
    },
  );
});

describe('an amount in the billing currency that is billed as another one', () => {
  const money = { amount: 1000n, currency: 'EUR', decimals: 2, billing: 1n };

  it.each<PaymentEventType>(['authorization', 'increment'])('is rejected in %s', async (type) => {
    await expect(preparation.prepare(input({ type, money }))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it.each<PaymentEventType>(['advice', 'clearing', 'force_post', 'refund', 'credit', 'correction_debit', 'reversal'])(
    'is what is stated in %s',
    async (type) => {
      expect((await preparation.prepare(input({ type, money }))).event.billing).toBe(1000n);
    },
  );
});

describe('the mark-up on a conversion', () => {
  // 10,999 won are worth 6.5994 euro, and 6.6654 with the mark-up of one percent.
  const money = { ...WON, amount: 10_999n };

  it.each<PaymentEventType>(['authorization', 'increment', 'advice', 'clearing', 'force_post', 'correction_debit', 'reversal'])(
    'is charged on %s',
    async (type) => {
      const { event } = await preparation.prepare(input({ type, money }));
      expect([event.billing, event.fx?.markupBasisPoints]).toEqual([667n, 100]);
    },
  );

  it.each<PaymentEventType>(['refund', 'refund_reversal', 'credit', 'credit_announced', 'correction_credit'])(
    'is never paid on %s, which is rounded down',
    async (type) => {
      const { event } = await preparation.prepare(input({ type, money }));
      expect([event.billing, event.fx?.markupBasisPoints]).toEqual([659n, 0]);
    },
  );
});

describe('a conversion', () => {
  const money = { ...WON, amount: 10_999n };

  it('keeps the mark-up apart, and the reference rate that it is compared with', async () => {
    const { event } = await preparation.prepare(input({ money }));
    expect(event).toMatchObject({ billing: 667n, markup: 7n, reference: { rate: '0.0006', date: '2026-03-10' } });
    const byProcessor = await preparation.prepare(input({ money: { ...money, billing: 680n } }));
    expect(byProcessor.event).toMatchObject({ billing: 680n, reference: { rate: '0.0006', date: '2026-03-10' } });
    expect(byProcessor.event).not.toHaveProperty('fx');
  });

  it.each<[PaymentEventType, boolean]>([
    ['authorization', false],
    ['increment', false],
    ['clearing', true],
    ['refund', true],
  ])('at a rate that is too old: is %s billed? %s', async (type, isBilled) => {
    const prepared = preparation.prepare(input({ type, money: { amount: 1000n, currency: 'TRY', decimals: 2 } }));
    if (isBilled) expect((await prepared).event.fx).toMatchObject({ rate: '0.02', date: '2026-01-02' });
    else await expect(prepared).rejects.toMatchObject({ code: 'CURRENCY_NOT_SUPPORTED' });
  });
});
