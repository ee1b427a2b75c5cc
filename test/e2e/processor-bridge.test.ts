import { randomUUID } from 'node:crypto';
import type { HoldsClient } from '@florin/card/testing/holds';
import { startRedisRelay } from '@florin/data/testing';
import { DisputeStage } from '@florin/proto/card/v1/payment';
import { pause } from '@florin/rpc/time';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCardOrders } from '../bridge/card-orders.ts';
import { receiveMessages } from '../bridge/receive-messages.ts';
import { reportEvents } from '../bridge/report-events.ts';
import { createCardDataApp } from '../support/card-data.ts';
import { connectCardNetwork } from '../support/card-network.ts';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, newPhone, type Person, registerPerson, unfreezeCard } from '../support/story.ts';

const newSecret = (): string => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
const [secret, oldSecret] = [newSecret(), newSecret()];
const SHOP = { id: 'M-1', name: 'Corner Shop', country: 'DE' };

let platform: PlatformInProcess;
let orders: ReturnType<typeof createCardOrders>;
let bridge: Awaited<ReturnType<typeof receiveMessages>>;
let network: ReturnType<typeof reportEvents>;
/** The connection between the bridge and the card service, which a test can break. */
let line: Awaited<ReturnType<typeof startRedisRelay>>;
const atOnce = () => Promise.resolve();
/** The ledger waits for these before and after it holds. */
let waits = { before: atOnce, after: atOnce };
const slowly = (holds: HoldsClient): HoldsClient => ({
  ...holds,
  open: async (order) => {
    const { before, after } = waits;
    await before();
    const held = await holds.open(order);
    await after();
    return held;
  },
});
let person: Person;
beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  orders = createCardOrders(privateKey, (name) => name !== 'Refused');
  bridge = await receiveMessages({ secret, orders });
  const settings = {
    PROCESSOR: 'http',
    PROCESSOR_URL: bridge.url,
    PROCESSOR_SECRET: `${oldSecret} ${secret}`,
    PROCESSOR_KEY: JSON.stringify(await exportJWK(publicKey)),
  };
  platform = await startPlatformInProcess(settings, { card: { wrapHolds: slowly } });
  // It relays any TCP connection.
  line = await startRedisRelay(platform.urls['CARD_URL'] ?? '');
  network = reportEvents(line.url.replace('redis:', 'http:'), platform.operatorKey as JWK);
});
afterAll(async () => {
  await network?.close();
  await line?.close();
  await platform?.close();
  await bridge?.close();
});
beforeEach(async () => {
  bridge.setTrouble('none');
  waits = { before: atOnce, after: atOnce };
  person = await registerPerson(platform.api);
});

const change = (cardId: string, action: string) =>
  platform.api.call<{ cardId?: string; id: string }>('POST', `/cards/${cardId}/${action}`, { token: person.token, body: {} });

/** Waits for the processor to know a status; failed attempts are repeated on the platform's clock. */
const becomes = (cardId: string, status: string) =>
  expect
    .poll(
      () => {
        platform.clock.advanceSeconds(1);
        return orders.cards.get(cardId)?.status;
      },
      { interval: 100 },
    )
    .toBe(status);

const order = (cardName: string, key: string) =>
  platform.api.request('POST', '/cards/virtual', {
    token: person.token,
    body: { cardName, phone: '+4915112345678' },
    headers: { 'idempotency-key': key },
  });

const balance = async () => {
  const { data } = await platform.api.as(person.token).userAccount.getBalances();
  const row = data.find(({ currency }) => currency === 'EUR');
  return [row?.spendable, row?.nonSpendable];
};
const newPayment = async () => {
  const cardId = await createCard(platform.api, person.token);
  await platform.api.as(person.token).sandbox.createDeposit({ token: 'EURe', amount: `${100n * 10n ** 18n}` });
  return { cardId, transactionId: randomUUID(), amount: 3000, merchant: SHOP };
};

describe('a bridge to a processor', () => {
  it('issues the card that the vault has numbered, and pays with it', async () => {
    const { token } = person;
    const cardId = await createCard(platform.api, token);
    const app = await createCardDataApp(platform.api, person);
    expect(orders.cards.get(cardId)).toMatchObject({ ...(await app.viewDetails(cardId)), status: 'active' });

    await platform.api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${100n * 10n ** 18n}` });
    const payment = { cardId, transactionId: randomUUID(), amount: 2500, merchant: SHOP };
    const eventId = randomUUID();
    expect(await network.authorize(payment, eventId)).toEqual({ approved: true, responseCode: '00' });
    expect(await network.authorize(payment, eventId)).toEqual({ approved: true, responseCode: '00' });
    await network.clear(payment);
    await network.refund({ ...payment, amount: 500 });
    expect(await platform.api.as(token).cards.listCardTransactions()).toMatchObject({
      data: [{ status: 'settled', clearedAmount: '2500', refundedAmount: '500', merchant: SHOP }],
    });
  });

  it('is told of every step of a dispute, once it can be reached', async () => {
    const { token } = person;
    const payment = await newPayment();
    await network.authorize(payment, randomUUID());
    await network.clear(payment);
    const [{ id: transactionId = '' } = {}] = (await platform.api.as(token).cards.listCardTransactions()).data;
    bridge.setTrouble('down');
    const { id } = await platform.api.as(token).cards.disputeCardTransaction({ transactionId, reason: 'not_received' });
    const staff = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
    await staff.payments.advanceDispute({ paymentId: transactionId, eventId: 'case-1', stage: DisputeStage.CHARGEBACK, note: 'A letter' });
    bridge.setTrouble('none');
    const told = () => {
      platform.clock.advanceSeconds(1);
      return orders.disputes.get(id);
    };
    await expect.poll(told, { interval: 100 }).toMatchObject({
      ...{ paymentId: transactionId, transactionId: payment.transactionId, cardId: payment.cardId, revision: 2 },
      ...{ status: 'submitted', stage: 'chargeback', amount: '3000', currency: 'EUR', networkReasonCode: '13.1' },
      steps: [
        { eventId: `dispute:${id}`, stage: 'opened' },
        { eventId: 'case-1', stage: 'chargeback', note: 'A letter' },
      ],
    });
    await staff.payments.advanceDispute({ paymentId: transactionId, eventId: 'case-2', stage: DisputeStage.LOST });
    await staff.close();
    await expect.poll(told, { interval: 100 }).toMatchObject({ revision: 3, status: 'lost', stage: 'lost' });
  });

  describe('whose request is not answered in time', () => {
    it('declines it, and leaves nothing held when Florin approves it later', async () => {
      const payment = await newPayment();
      const eventId = randomUUID();
      const held = Promise.withResolvers<void>();
      waits = { before: () => pause(600), after: async () => held.resolve() };
      expect(await network.authorize(payment, eventId, 300)).toEqual({ approved: false, responseCode: '91' });
      await network.reversed();
      await held.promise;
      await expect.poll(balance, { interval: 100 }).toEqual(['10000', '0']);
      expect(await network.authorize(payment, eventId)).toEqual({ approved: false, responseCode: '91' });
      const heldAmounts = async () =>
        (await platform.api.as(person.token).cards.listCardTransactions()).data.map(({ heldAmount }) => heldAmount);
      await expect.poll(heldAmounts).toEqual(['0']);
    });

    it('leaves nothing held when the answer is lost and Florin cannot be reached for a while', async () => {
      const payment = await newPayment();
      // The answer is on its way once nothing arrives any more.
      const isCut = Promise.withResolvers<void>();
      waits = { before: atOnce, after: () => isCut.promise };
      const authorized = network.authorize(payment);
      await expect.poll(balance, { interval: 20 }).toEqual(['7000', '3000']);
      await line.cut();
      isCut.resolve();
      expect(await authorized).toEqual({ approved: false, responseCode: '91' });
      await pause(1000);
      expect(await balance()).toEqual(['7000', '3000']);
      await line.restore();
      await network.reversed();
      await expect.poll(balance, { interval: 100 }).toEqual(['10000', '0']);
    });
  });

  it('reverses an approval that did not reach the network', async () => {
    const payment = await newPayment();
    const eventId = randomUUID();
    expect(await network.authorize(payment, eventId)).toEqual({ approved: true, responseCode: '00' });
    network.unused(payment, eventId);
    await network.reversed();
    await expect.poll(balance, { interval: 100 }).toEqual(['10000', '0']);
  });

  it('is told of every state, of the replacement and of the new expiry', async () => {
    const cardId = await createCard(platform.api, person.token);
    const before = orders.cards.get(cardId);
    await change(cardId, 'freeze');
    await becomes(cardId, 'frozen');
    await unfreezeCard(platform.api, person, cardId);
    await becomes(cardId, 'active');
    await change(cardId, 'renew');
    expect(orders.cards.get(cardId)).toMatchObject({ pan: before?.pan, expYear: (before?.expYear ?? 0) + 4 });
    expect(orders.cards.get(cardId)?.cvv2).toMatch(/^\d{3}$/);
    await change(cardId, 'stolen');
    await becomes(cardId, 'stolen');
    const { id } = await change(cardId, 'replace');
    expect(orders.cards.get(id)).toMatchObject({ replacementFor: cardId, status: 'active' });
    expect(orders.cards.get(id)?.pan).not.toBe(before?.pan);
  });

  it('issues one card when the answer to the order is lost', async () => {
    const key = randomUUID();
    bridge.setTrouble('lost');
    expectCode(await order('Everyday', key), 502, 'CARD_ISSUING_FAILED');
    bridge.setTrouble('none');
    const answer = await order('Everyday', key);
    expect(answer.status).toBe(200);
    const { cardId } = answer.body as { cardId: string };
    const sent = bridge.received.filter(({ id }) => id === `issue_${cardId}`);
    expect(sent.length).toBeGreaterThan(1);
    expect((await platform.api.as(person.token).cards.listCards()).data).toHaveLength(1);
  });

  it('that refuses an order leaves no card', async () => {
    expectCode(await order('Refused', randomUUID()), 502, 'CARD_ISSUING_FAILED');
    expect(await platform.api.as(person.token).cards.listCards()).toMatchObject({ data: [] });
  });

  it('that is down, or whose answers are lost, learns the latest state later', async () => {
    const cardId = await createCard(platform.api, person.token, { cardName: 'Everyday', phone: newPhone() });
    bridge.setTrouble('down');
    await change(cardId, 'freeze');
    await unfreezeCard(platform.api, person, cardId);
    await change(cardId, 'lost');
    expect(orders.cards.get(cardId)?.status).toBe('active');
    bridge.setTrouble('lost');
    await becomes(cardId, 'lost');
    bridge.setTrouble('none');
    const count = () => bridge.received.filter(({ id }) => id.startsWith(`state_${cardId}_`)).length;
    // The lost answer is made up for by a repeat, which changes nothing.
    await expect
      .poll(
        () => {
          platform.clock.advanceSeconds(1);
          return count();
        },
        { interval: 100 },
      )
      .toBeGreaterThan(1);
    expect(orders.cards.get(cardId)?.status).toBe('lost');
  });
});

describe('the reference bridge', () => {
  const body = JSON.stringify({ type: 'card.state', data: {} });
  const send = (headers: Record<string, string>, sent: string = body) => fetch(bridge.url, { method: 'POST', headers, body: sent });
  const headersOf = (key: string, at: Date) => ({
    'webhook-id': 'state_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('state_1', at, body),
  });

  it.each([
    ['no signature', () => ({}), body],
    ['the signature of another key', () => headersOf(newSecret(), new Date()), body],
    ['an old signature', () => headersOf(secret, new Date(Date.now() - 600_000)), body],
    ['a signature over another body', () => headersOf(secret, new Date()), body.replace('state', 'issue')],
  ])('rejects %s', async (_case, headers, sent) => {
    const before = bridge.received.length;
    expect((await send(headers(), sent)).status).toBe(401);
    expect(bridge.received).toHaveLength(before);
  });
});
