import { randomUUID } from 'node:crypto';
import { openStore, type Store } from '@florin/data/store';
import { PaymentService } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payment } from '../domain/payment.ts';
import { claimIdOf, paymentIdOf } from '../domain/payment-ids.ts';
import { createEventClaimStore, type EventClaimStore } from '../store/event-claims.ts';
import { paymentModel } from '../store/payment-model.ts';
import { createPaymentStore, type PaymentStore } from '../store/payments.ts';
import { PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { createWorld, type World } from '../testing/world.ts';

let world: World;
let store: Store;
let channel: RpcChannel;
let payments: PaymentStore;
let claims: EventClaimStore;
let made = 0;
beforeAll(async () => {
  world = await createWorld();
  const { app } = await world.start();
  channel = createRpcChannel({ baseUrl: app.url, timeoutMs: 20_000 });
  const { MONGODB_URI, MONGODB_DATABASE } = world.environment;
  store = await openStore({ uri: String(MONGODB_URI), database: String(MONGODB_DATABASE), poolSize: 2, logger: quietLogger });
  // Ids that sort as they are made, so that the newest is known.
  const newId = () => {
    made += 1;
    return `019b0000-0000-7000-8000-${String(made).padStart(12, '0')}`;
  };
  payments = createPaymentStore(paymentModel(store.connection), { now: world.clock.now, newId }, { currency: 'EUR', decimals: 2 });
  claims = createEventClaimStore(store.connection);
});
afterAll(async () => {
  await channel.close();
  await store.close();
  await world.close();
});

/** Stores a payment, as an authorization leaves it. */
const keep = async (more: Partial<Payment> = {}): Promise<string> => {
  const id = more.id ?? randomUUID();
  const at = world.clock.now();
  const payment: Payment = {
    ...PAYMENT_FACTS,
    ...{ events: [], held: 0n, cleared: 0n, refunded: 0n, pendingCredit: 0n, releasedEarly: 0n, effects: [], ledgerEntries: [] },
    ...{ revision: 1, createdAt: at, updatedAt: at, ...more, id },
  };
  expect(await payments.save(undefined, payment)).toBe(true);
  return id;
};

const find = async (reference: string, limit = 0, scopes: string[] = [CARD_SCOPES.readPayments]) => {
  const options = await world.serviceOptions('office', scopes);
  const found = await channel.client(PaymentService).findPaymentsByReference({ reference, limit }, options);
  return { ids: found.payments.map(({ id }) => id), hasMore: found.hasMore };
};

const NOTHING = { ids: [], hasMore: false };

describe('FindPaymentsByReference', () => {
  it('finds by the retrieval reference number and by the authorization code, newest first, each payment once', async () => {
    const first = await keep({ retrievalReference: 'R12345678901' });
    const second = await keep({ retrievalReference: 'R12345678901', authorizationCode: 'A1B2C3' });
    const third = await keep({ retrievalReference: 'A1B2C3', authorizationCode: 'A1B2C3' });
    expect(await find('R12345678901')).toEqual({ ids: [second, first], hasMore: false });
    expect(await find('A1B2C3')).toEqual({ ids: [third, second], hasMore: false });
    expect(await find('R12345678901', 1)).toEqual({ ids: [second], hasMore: true });
    expect(await find('R12345678901', 2)).toEqual({ ids: [second, first], hasMore: false });
  });

  it('finds by the ids that any trusted processor gave to the transaction and its events', async () => {
    const [transactionId, eventId] = [`tx-${randomUUID()}`, `ev-${randomUUID()}`] as const;
    const ofProcessor = await keep({ id: paymentIdOf('processor', transactionId), processor: 'processor', transactionId });
    const ofNetwork = await keep({ id: paymentIdOf('network', transactionId), processor: 'network', transactionId });
    await keep({ id: paymentIdOf('stranger', transactionId), processor: 'stranger', transactionId });
    await claims.claim({ id: claimIdOf('network', eventId), inputHash: 'hash', paymentId: ofNetwork, at: world.clock.now() });
    expect(await find(transactionId)).toEqual({ ids: [ofNetwork, ofProcessor], hasMore: false });
    expect(await find(eventId)).toEqual({ ids: [ofNetwork], hasMore: false });
  });

  it('finds what is exactly so, and nothing by a pattern', async () => {
    await keep({ retrievalReference: 'exact1' });
    for (const other of ['exact', 'EXACT1', 'exact.', '.*', '^exact', 'processor:exact1', '{"$ne":1}', ' exact1']) {
      expect([other, await find(other)]).toEqual([other, NOTHING]);
    }
  });

  it('reads no other payment for it', async () => {
    const indexes = await store.connection.collection('payments').indexes();
    for (const name of ['retrievalReference', 'authorizationCode']) {
      const index = indexes.find(({ key }) => Object.keys(key)[0] === name);
      expect(index).toMatchObject({ key: { [name]: 1, listId: -1 }, partialFilterExpression: { [name]: { $exists: true } } });
    }
  });

  it('wants a reference, a limit that is small, and the scope', async () => {
    for (const [reference, limit] of [
      ['', 0],
      ['x'.repeat(101), 0],
      ['a\u0000b', 0],
      ['x', 101],
      ['x', -1],
    ] as const) {
      await expect(find(reference, limit)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    await expect(find('x', 0, [CARD_SCOPES.readCards])).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const user = await world.authority.userToken({ wallet: '0x52908400098527886E0F7030069857D2E4169EE7', userId: randomUUID() });
    const asUser = channel
      .client(PaymentService)
      .findPaymentsByReference({ reference: 'x' }, { headers: { authorization: `Bearer ${user}` } });
    await expect(asUser).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
