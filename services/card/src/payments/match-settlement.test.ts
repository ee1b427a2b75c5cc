import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { openStore, type Store } from '@florin/data/store';
import { ExceptionService } from '@florin/proto/card/v1/exception_service';
import { ProcessorService } from '@florin/proto/card/v1/processor_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPayment } from '../domain/new-payment.ts';
import type { PaymentEvent, PaymentEventType } from '../domain/payment-event.ts';
import { claimIdOf, paymentIdOf } from '../domain/payment-ids.ts';
import { recordEvent } from '../domain/record-event.ts';
import { createEventClaimStore, type EventClaimStore } from '../store/event-claims.ts';
import { createExceptionStore } from '../store/exceptions.ts';
import { paymentModel } from '../store/payment-model.ts';
import { createPaymentStore, type PaymentStore } from '../store/payments.ts';
import { PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { createWorld, type World } from '../testing/world.ts';

let world: World;
let store: Store;
let channel: RpcChannel;
let payments: PaymentStore;
let claims: EventClaimStore;
let exceptions: ReturnType<typeof createExceptionStore>;
beforeAll(async () => {
  world = await createWorld();
  const { app } = await world.start();
  channel = createRpcChannel({ baseUrl: app.url, timeoutMs: 20_000 });
  const { MONGODB_URI, MONGODB_DATABASE } = world.environment;
  store = await openStore({ uri: String(MONGODB_URI), database: String(MONGODB_DATABASE), poolSize: 2, logger: quietLogger });
  const stamp = { now: world.clock.now, newId: () => randomUUID() };
  payments = createPaymentStore(paymentModel(store.connection), stamp, { currency: 'EUR', decimals: 2 });
  claims = createEventClaimStore(store.connection);
  exceptions = createExceptionStore(store.connection, stamp);
});
afterAll(async () => {
  await channel.close();
  await store.close();
  await world.close();
});

const event = (type: PaymentEventType, billing: bigint, more: Partial<PaymentEvent> = {}): PaymentEvent => ({
  ...{ id: randomUUID(), type, at: world.clock.now(), amount: billing, currency: 'EUR', billing },
  ...more,
});
const arn = () => String(Math.floor(Math.random() * 1e15)).padStart(23, '7');

/** Stores a payment of these events, with the claims that the service makes for them. */
const keep = async (...events: PaymentEvent[]) => {
  const transactionId = randomUUID();
  const id = paymentIdOf('processor', transactionId);
  const payment = events.reduce(recordEvent, newPayment({ ...PAYMENT_FACTS, id, transactionId }));
  expect(await payments.save(undefined, payment)).toBe(true);
  for (const one of events)
    await claims.claim({ id: claimIdOf('processor', one.id), inputHash: 'hash', paymentId: id, at: world.clock.now() });
  return { id, transactionId };
};

type Item = { recordId?: string; amount: string } & Partial<Record<'eventId' | 'transactionId' | 'acquirerReference' | 'currency', string>>;
const match = async (items: Item[], raiseUnmatched = false) => {
  const options = await world.serviceOptions('settlement', [CARD_SCOPES.matchSettlement]);
  const full = items.map((item) => ({ recordId: randomUUID(), processor: 'processor', currency: 'EUR', raiseUnmatched, ...item }));
  const { matches } = await channel.client(ExceptionService).matchSettlement({ items: full }, options);
  return matches.map(({ paymentId, billedAmount, exceptionId, suspenseId }) => ({
    ...{ paymentId, billedAmount, exceptionId },
    ...(suspenseId === '' ? {} : { suspenseId }),
  }));
};

describe('ReportUnsettled', () => {
  it('raises an exception for each payment once, known or not, and resolves it when the network has settled it', async () => {
    const { id } = await keep(event('clearing', 2800n));
    const [stranger, accountId, since] = [randomUUID(), randomUUID(), timestampFromDate(world.clock.now())];
    const tell = async (amount: string) => {
      const options = await world.serviceOptions('settlement', [CARD_SCOPES.matchSettlement]);
      const items = [id, stranger].map((paymentId) => ({ paymentId, accountId, since, amount, currency: 'EUR' }));
      // The amount of a payment in another currency is an exception of its own.
      items.push({ paymentId: id, accountId, since, amount, currency: 'USD' });
      await channel.client(ExceptionService).reportUnsettled({ items }, options);
      const page = await exceptions.page({ status: amount === '0' ? 'resolved' : 'open', kinds: ['not_settled'], limit: 10 });
      return page.map(({ paymentId, cardId, amount: due, originalAmount }) => [paymentId, cardId !== '', due, originalAmount]);
    };
    const raised = [
      [id, true, -2800n, -2800n],
      [stranger, false, -2800n, -2800n],
      [id, true, undefined, -2800n],
    ];
    expect(await tell('-2800')).toEqual(expect.arrayContaining(raised));
    expect(await tell('-2800')).toHaveLength(3);
    expect(await tell('0')).toEqual(expect.arrayContaining(raised));
    // It stays resolved.
    expect(await tell('-2800')).toEqual([]);
  });
});

describe('ReportUnexplained', () => {
  it('raises an exception for each movement once, and resolves it when it is explained', async () => {
    const [source, recordId] = ['bank', randomUUID()];
    const tell = async (...amounts: string[]) => {
      const options = await world.serviceOptions('settlement', [CARD_SCOPES.matchSettlement]);
      const movements = amounts.map((amount) => ({ source, recordId, amount, currency: 'EUR' }));
      await channel.client(ExceptionService).reportUnexplained({ movements }, options);
      const page = async (status: 'open' | 'resolved') =>
        (await exceptions.page({ status, kinds: ['unexplained_movement'], limit: 10 })).length;
      return [await page('open'), await page('resolved')];
    };
    expect(await tell('-2800', '-2800')).toEqual([1, 0]);
    const [raised] = await exceptions.page({ status: 'open', kinds: ['unexplained_movement'], limit: 10 });
    expect(raised).toMatchObject({ processor: source, eventId: recordId, amount: -2800n, originalCurrency: 'EUR' });
    expect(await tell('-2800', '0')).toEqual([0, 1]);
    // It stays resolved.
    expect(await tell('-2800')).toEqual([0, 1]);
  });
});

describe('MatchSettlement', () => {
  it('finds a clearing by its event, by transaction and reference, by transaction and amount, and by reference alone', async () => {
    const acquirerReference = arn();
    const presented = event('clearing', 2800n, { network: { acquirerReference } });
    const { id, transactionId } = await keep(presented);
    const found = { paymentId: id, billedAmount: '2800', exceptionId: '' };
    const recordId = randomUUID();
    for (const names of [{ eventId: presented.id }, { transactionId, acquirerReference }, { transactionId }, { acquirerReference }])
      expect(await match([{ recordId, amount: '2800', ...names }])).toEqual([found]);
  });

  it('finds a clearing with a transaction id of its own by its reference, whatever else the record names', async () => {
    const acquirerReference = arn();
    const { id } = await keep(event('clearing', 2800n, { network: { acquirerReference } }));
    const own = { transactionId: randomUUID(), eventId: randomUUID(), acquirerReference };
    expect(await match([{ amount: '2800', ...own }])).toMatchObject([{ paymentId: id, exceptionId: '' }]);
    const later = await keep(event('authorization', 700n), event('clearing', 700n, { transactionId: randomUUID() }));
    const { transactionId: ofClearing = '' } = (await payments.find(later.id))?.events[1] ?? {};
    expect(await match([{ amount: '700', transactionId: ofClearing }])).toMatchObject([{ paymentId: later.id, exceptionId: '' }]);
  });

  it('guesses the only report of a transaction on demand, and gives it to the record that agrees with it', async () => {
    const { id, transactionId } = await keep(event('clearing', 500n));
    const [early, stray, agreeing] = ['700', '800', '500'].map((amount) => ({ recordId: randomUUID(), amount, transactionId }));
    const items = [early, stray].filter((item) => item !== undefined);
    expect(await match(items)).toMatchObject([
      { paymentId: '', exceptionId: '' },
      { paymentId: '', exceptionId: '' },
    ]);
    const [guessed, unmatched] = await match(items, true);
    expect(guessed).toMatchObject({ paymentId: id, billedAmount: '500' });
    expect(unmatched).toMatchObject({ paymentId: '' });
    expect(await exceptions.find(guessed?.exceptionId ?? '')).toMatchObject({ kind: 'settlement_difference', paymentId: id });
    expect(await exceptions.find(unmatched?.exceptionId ?? '')).toMatchObject({ kind: 'unmatched_settlement' });
    expect(await match([agreeing ?? expect.fail()])).toMatchObject([{ paymentId: id, billedAmount: '500', exceptionId: '' }]);
    const [later, still] = await match(items, true);
    expect([later?.paymentId, still]).toEqual(['', unmatched]);
    expect(await exceptions.find(guessed?.exceptionId ?? '')).toMatchObject({ status: 'resolved' });
    expect(await exceptions.find(later?.exceptionId ?? '')).toMatchObject({ kind: 'unmatched_settlement', status: 'open' });
  });

  it('gives each of two equal clearings of a payment to one record, in every repetition', async () => {
    const { id, transactionId } = await keep(event('clearing', 500n, { moreExpected: true }), event('clearing', 500n));
    const items = [
      { recordId: randomUUID(), amount: '500', transactionId },
      { recordId: randomUUID(), amount: '500', transactionId },
    ];
    const found = { paymentId: id, billedAmount: '500', exceptionId: '' };
    const [first, again] = [await match(items), await match(items)];
    expect(first).toEqual([found, found]);
    expect(again).toEqual(first);
  });

  it('raises an exception for a second record of a report, and for another amount, once', async () => {
    const { id, transactionId } = await keep(event('clearing', 900n));
    const [first, second] = [
      { recordId: randomUUID(), amount: '900', transactionId },
      { recordId: randomUUID(), amount: '900', transactionId },
    ];
    expect(await match([first])).toMatchObject([{ exceptionId: '' }]);
    const [raised] = await match([second]);
    expect(await match([second])).toEqual([raised]);
    expect(await exceptions.find(raised?.exceptionId ?? '')).toMatchObject({
      kind: 'settlement_difference',
      paymentId: id,
      status: 'open',
    });
    const other = await keep(event('refund', 400n));
    const [different] = await match([{ amount: '-500', transactionId: other.transactionId }], true);
    expect(different).toMatchObject({ paymentId: other.id, billedAmount: '-400' });
    expect(await exceptions.find(different?.exceptionId ?? '')).toMatchObject({ kind: 'settlement_difference', amount: -500n });
  });

  it('raises an exception for a record without a report only on demand, and finds the report that arrives later', async () => {
    const item = { recordId: randomUUID(), amount: '100', eventId: randomUUID() };
    expect(await match([item])).toEqual([{ paymentId: '', billedAmount: '', exceptionId: '' }]);
    const [raised] = await match([item], true);
    expect(await exceptions.find(raised?.exceptionId ?? '')).toMatchObject({ kind: 'unmatched_settlement', eventId: item.recordId });
    const { id } = await keep(event('clearing', 100n, { id: item.eventId }));
    expect(await match([item], true)).toEqual([{ paymentId: id, billedAmount: '100', exceptionId: '' }]);
    expect(await exceptions.find(raised?.exceptionId ?? '')).toMatchObject({ status: 'resolved', resolution: { by: 'settlement' } });
    // A report that differs raises what it is, whatever was raised and resolved before.
    const other = { recordId: randomUUID(), amount: '100', eventId: randomUUID() };
    const [unmatched] = await match([other], true);
    await keep(event('clearing', 90n, { id: other.eventId }));
    const [different] = await match([other], true);
    expect(await exceptions.find(unmatched?.exceptionId ?? '')).toMatchObject({ status: 'resolved' });
    expect(await exceptions.find(different?.exceptionId ?? '')).toMatchObject({ kind: 'settlement_difference', status: 'open' });
  });

  it('names the exception of a report in suspense, and what the ledger has booked for it, instead of raising another one', async () => {
    const options = await world.serviceOptions('processor', [CARD_SCOPES.writePayments]);
    const [eventId, transactionId] = [randomUUID(), randomUUID()];
    const event = { eventId, transactionId, cardId: randomUUID() };
    const amount = { amount: '2800', currency: 'EUR', decimals: 2 };
    const merchant = { id: 'M-1', name: 'Shop', city: 'Berlin', country: 'DE', categoryCode: '5411' };
    const { exceptionId } = await channel.client(ProcessorService).clear({ event, amount, merchant }, options);
    const suspended = { paymentId: '', billedAmount: '', exceptionId, suspenseId: exceptionId };
    for (const raiseUnmatched of [false, true])
      expect(await match([{ amount: '2800', eventId, transactionId }], raiseUnmatched)).toEqual([suspended]);
    for (const other of [{ amount: '3100' }, { amount: '-2800' }, { amount: '2800', currency: 'USD' }]) {
      const [found] = await match([{ ...other, eventId, transactionId }]);
      expect(found?.suspenseId).toBe(exceptionId);
      expect(await exceptions.find(found?.exceptionId ?? '')).toMatchObject({ kind: 'settlement_difference', status: 'open' });
    }
    expect(
      (await exceptions.page({ status: 'open', kinds: ['unmatched_settlement'], limit: 100 })).filter(
        (one) => one.transactionId === transactionId,
      ),
    ).toEqual([]);
  });

  it('compares amounts in the currency of the settlement, and never takes a purchase for a refund', async () => {
    const network = { settlementAmount: '1100', settlementCurrency: 'USD' };
    const { id, transactionId } = await keep(event('clearing', 1000n, { amount: 5000n, currency: 'SEK', network }));
    expect(await match([{ amount: '1100', currency: 'USD', transactionId }])).toMatchObject([{ paymentId: id, exceptionId: '' }]);
    expect(await match([{ amount: '-1000', transactionId }])).toMatchObject([{ paymentId: '' }]);
  });

  it('agrees with what the network settles of a conversion by the program, and near it where the network has not said it', async () => {
    const converted = { amount: 10_000n, currency: 'USD', fx: { rate: '0.9', markupBasisPoints: 100 }, markup: 90n };
    const network = { settlementAmount: '9012', settlementCurrency: 'EUR' };
    const stated = await keep(event('clearing', 9090n, { ...converted, network }));
    const silent = await keep(event('clearing', 9090n, converted));
    expect(await match([{ amount: '9012', transactionId: stated.transactionId }])).toMatchObject([
      { billedAmount: '9090', exceptionId: '' },
    ]);
    for (const amount of ['9181', '8819'])
      expect(await match([{ amount, transactionId: silent.transactionId }])).toMatchObject([{ paymentId: '' }]);
    expect(await match([{ amount: '8950', transactionId: silent.transactionId }])).toMatchObject([
      { paymentId: silent.id, exceptionId: '' },
    ]);
    const [other] = await match([{ amount: '9000', transactionId: stated.transactionId }], true);
    expect(other).toMatchObject({ exceptionId: expect.stringMatching(/./) });
  });

  it('matches what was booked at once as it stands', async () => {
    const decision = { billing: 2000n, amount: 2000n, held: 2000n, authorizationCode: '123456' };
    const { transactionId } = await keep(event('authorization', 2000n, { singleMessage: true, decision }), event('reversal', 500n));
    expect(await match([{ amount: '1500', transactionId }])).toMatchObject([{ billedAmount: '1500', exceptionId: '' }]);
  });

  it('is for settlement only', async () => {
    const options = await world.serviceOptions('processor', [CARD_SCOPES.writePayments]);
    await expect(channel.client(ExceptionService).matchSettlement({ items: [] }, options)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
