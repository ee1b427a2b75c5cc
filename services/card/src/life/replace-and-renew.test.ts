import { randomUUID } from 'node:crypto';
import { openStore, type Store } from '@florin/data/store';
import { CardStatus } from '@florin/proto/card/v1/card';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { systemRuntime } from '@florin/rpc/runtime';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardModel } from '../store/card-model.ts';
import { type CardStore, createCardStore } from '../store/cards.ts';
import { createTestProcessor, createWorld, PHONE, type World } from '../testing/world.ts';
import { createCardChanges, originOf } from './change-card.ts';
import { createRenewals } from './renew-card.ts';

const FACE = { last4: '4242', expMonth: 1, expYear: 2029, network: 'visa' };

let world: World;
let store: Store;
let cards: CardStore;
let service: Awaited<ReturnType<World['start']>>;
let replica: Awaited<ReturnType<World['start']>>;
const test = createTestProcessor(FACE);
const runtime = { ...systemRuntime, now: () => world.clock.now() };

beforeAll(async () => {
  world = await createWorld();
  const { MONGODB_URI: uri = '', MONGODB_DATABASE: database = '' } = world.environment;
  store = await openStore({ uri, database, poolSize: 4, logger: quietLogger });
  cards = createCardStore(cardModel(store.connection), runtime);
  service = await world.start({ processor: test.processor });
  replica = await world.start({ processor: test.processor });
});
afterAll(async () => {
  await world.close();
  await store.close();
});

const change = (cardId: string) => ({ cardId, requestId: randomUUID() });

const userWithCard = async () => {
  const user = await service.as();
  const card = await user.create({ phone: PHONE });
  return { ...user, card, id: card.id };
};

const reservationsOf = (userId: string) =>
  store.connection.collection<{ _id: string }>('reservations').countDocuments({ _id: { $regex: `^${userId}:` } });

describe('ReplaceCard', () => {
  it('issues one card with a new PAN for a lost card, for concurrent requests too', async () => {
    const { id, options, list } = await userWithCard();
    await expect(service.client.replaceCard(change(id), options)).rejects.toMatchObject({ code: 'CARD_STATE_CONFLICT' });
    await service.client.reportCardLost(change(id), options);
    const twins = await Promise.all([service, replica, service, replica].map(({ client }) => client.replaceCard(change(id), options)));
    const [first] = twins;
    expect(new Set(twins.map(({ card }) => card?.id)).size).toBe(1);
    expect(first?.card).toMatchObject({ status: CardStatus.ACTIVE, replacementFor: id, name: 'Everyday' });
    expect(first?.card?.id).not.toBe(id);
    expect(await list()).toHaveLength(2);
    expect((await service.client.getCard({ cardId: id }, options)).card).toMatchObject({
      status: CardStatus.LOST,
      replacedBy: first?.card?.id,
    });
  });

  it('does not count toward the limit of five, in any order', async () => {
    const { id, options, create, list } = await userWithCard();
    for (let more = 1; more < 5; more += 1) await create();
    await service.client.reportCardStolen(change(id), options);
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'CARD_LIMIT_REACHED' });
    const { card: replacement } = await service.client.replaceCard(change(id), options);
    expect(await list(CardStatus.ACTIVE)).toHaveLength(6);
    await expect(create()).rejects.toMatchObject({ code: 'CARD_LIMIT_REACHED' });
    // The replacement is a card like any other: it can be replaced in turn.
    const replacementId = replacement?.id ?? '';
    await service.client.reportCardLost(change(replacementId), options);
    const { card: next } = await service.client.replaceCard(change(replacementId), options);
    expect(next?.replacementFor).toBe(replacementId);
    expect(await list(CardStatus.ACTIVE)).toHaveLength(6);
  });

  it('never exceeds ten live cards', async () => {
    const { options, create, list } = await userWithCard();
    for (let more = 1; more < 5; more += 1) await create();
    for (const { id } of await list(CardStatus.ACTIVE)) {
      await service.client.reportCardLost(change(id), options);
      await service.client.replaceCard(change(id), options);
    }
    // As many cards as a day permits.
    world.clock.advanceSeconds(86_400);
    for (let more = 0; more < 5; more += 1) await create();
    const [oldest] = (await list(CardStatus.ACTIVE)).slice(-1);
    expect(await list(CardStatus.ACTIVE)).toHaveLength(10);
    await service.client.reportCardLost(change(oldest?.id ?? ''), options);
    await service.client.replaceCard(change(oldest?.id ?? ''), options);
    expect(await list(CardStatus.ACTIVE)).toHaveLength(10);
  });

  it('resumes after a failure of the processor, with the same card', async () => {
    const { id, options } = await userWithCard();
    await service.client.reportCardLost(change(id), options);
    test.state.mode = 'failAfter';
    await expect(service.client.replaceCard(change(id), options)).rejects.toMatchObject({ code: 'CARD_ISSUING_FAILED' });
    test.state.mode = 'issue';
    const { card } = await replica.client.replaceCard(change(id), options);
    expect(test.issued).toContain(card?.id);
    expect((await service.client.getCard({ cardId: id }, options)).card?.replacedBy).toBe(card?.id);
  });

  it('requires an active account of the cardholder, not of the issuer', async () => {
    const { id, options, userId } = await userWithCard();
    await service.client.reportCardLost(change(id), options);
    world.ledger.accounts.set(userId, { id: userId, status: AccountStatus.BLOCKED });
    await expect(service.client.replaceCard(change(id), options)).rejects.toMatchObject({ code: 'ACCOUNT_NOT_ACTIVE' });
    const office = await world.serviceOptions('office', [CARD_SCOPES.writeCards]);
    const { card } = await service.client.replaceCard({ ...change(id), actor: 'ann', reason: 'asked by phone' }, office);
    expect(card?.replacementFor).toBe(id);
  });
});

describe('RenewCard', () => {
  it('extends the expiry by one term, keeps the PAN, and is idempotent', async () => {
    const { id, options, card } = await userWithCard();
    const renewal = change(id);
    const [{ card: renewed } = {}, ...twins] = await Promise.all(
      [service, replica, service, replica].map(({ client }) => client.renewCard(renewal, options)),
    );
    expect(renewed).toMatchObject({ last4: card.last4, expMonth: 1, expYear: 2033, status: CardStatus.ACTIVE });
    for (const twin of twins) expect(twin.card).toEqual(renewed);
    expect(test.renewed).toContain(`${id} 1/2029`);
    expect(test.renewed).not.toContain(`${id} 1/2033`);
    await expect(service.client.renewCard(change(id), options)).rejects.toMatchObject({ code: 'CARD_STATE_CONFLICT' });
  });

  it('lets one of many requests win', async () => {
    const { id, options } = await userWithCard();
    const results = await Promise.allSettled(
      [service, replica, service, replica].map(({ client }) => client.renewCard(change(id), options)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await service.client.getCard({ cardId: id }, options)).card?.expYear).toBe(2033);
  });

  it('changes nothing when the processor refuses, and can be requested again', async () => {
    const { id, options } = await userWithCard();
    test.state.mode = 'refuse';
    await expect(service.client.renewCard(change(id), options)).rejects.toMatchObject({ code: 'CARD_ISSUING_FAILED' });
    test.state.mode = 'issue';
    expect((await service.client.getCard({ cardId: id }, options)).card?.expYear).toBe(2029);
    expect((await service.client.renewCard(change(id), options)).card?.expYear).toBe(2033);
  });

  it.each(['fail', 'failAfter', 'hang'] as const)('is completed by the sweeper after an unknown outcome (%s)', async (mode) => {
    const { id, options } = await userWithCard();
    test.state.mode = mode;
    await expect(service.client.renewCard(change(id), options)).rejects.toMatchObject({ code: 'CARD_ISSUING_FAILED' });
    test.state.mode = 'issue';
    world.clock.advanceSeconds(11);
    await waitFor('the renewal', async () => {
      const { card } = await service.client.getCard({ cardId: id }, options);
      return card?.expYear === 2033 ? true : undefined;
    });
    expect((await cards.find(id))?.history.map(({ action }) => action)).toEqual(['renew']);
  });

  it('is completed by a repeat after a kill between the processor and the write', async () => {
    const { id, options, userId } = await userWithCard();
    const request = change(id);
    const killed = { ...createCardChanges({ cards, runtime }), change: () => Promise.reject(new Error('killed')) };
    const renewals = createRenewals({ cards, changes: killed, processor: test.processor, processorTimeoutMs: 500, runtime });
    const origin = originOf({ ...request, actor: 'cardholder', actorId: userId }, 'renew');
    await expect(renewals.renew(id, origin, quietLogger)).rejects.toThrow('killed');
    expect((await service.client.getCard({ cardId: id }, options)).card?.expYear).toBe(2029);
    expect((await service.client.renewCard(request, options)).card?.expYear).toBe(2033);
  });

  it('does not revive a card that ends in the meantime', async () => {
    const { id, options } = await userWithCard();
    test.state.mode = 'fail';
    await expect(service.client.renewCard(change(id), options)).rejects.toMatchObject({ code: 'CARD_ISSUING_FAILED' });
    test.state.mode = 'issue';
    await service.client.cancelCard(change(id), options);
    expect(await cards.find(id)).not.toHaveProperty('renewal');
    expect((await service.client.getCard({ cardId: id }, options)).card).toMatchObject({ status: CardStatus.CANCELLED, expYear: 2029 });
  });
});

describe('CreateVirtualCard beyond the limit', () => {
  it('leaves no reservation behind', async () => {
    const { userId, create } = await userWithCard();
    for (let more = 1; more < 5; more += 1) await create();
    expect(await reservationsOf(userId)).toBe(5);
    for (let attempt = 0; attempt < 10; attempt += 1) await expect(create()).rejects.toMatchObject({ code: 'CARD_LIMIT_REACHED' });
    expect(await reservationsOf(userId)).toBe(5);
  });
});
