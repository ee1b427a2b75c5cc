import { randomUUID } from 'node:crypto';
import { CardActor, CardColour, CardStatus } from '@florin/proto/card/v1/card';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, PHONE, type World } from '../testing/world.ts';

let world: World;
let service: Awaited<ReturnType<World['start']>>;
let replica: Awaited<ReturnType<World['start']>>;

beforeAll(async () => {
  world = await createWorld();
  service = await world.start();
  replica = await world.start();
});
afterAll(() => world.close());

type Change = { cardId: string; requestId: string; actor: string; reason: string };
const change = (cardId: string, more: Partial<Change> = {}): Change => ({
  cardId,
  requestId: randomUUID(),
  actor: '',
  reason: '',
  ...more,
});
const byOffice = { actor: 'ann', reason: 'suspected fraud' };
const office = () => world.serviceOptions('office', [CARD_SCOPES.writeCards]);
const auditor = () => world.serviceOptions('office', [CARD_SCOPES.readCards, CARD_SCOPES.writeCards]);

const userWithCard = async () => {
  const user = await service.as();
  const card = await user.create({ phone: PHONE });
  /** Lifts the user's freeze, with the approval of their wallet. */
  const unfreeze = async (at: typeof service = service) => {
    const approval = await user.approve({ case: 'unfreezeCardId', value: card.id });
    return at.client.unfreezeCard({ ...change(card.id), approval }, user.options);
  };
  return { ...user, card, id: card.id, unfreeze };
};

const METHODS = [
  'freezeCard',
  'unfreezeCard',
  'reportCardLost',
  'reportCardStolen',
  'cancelCard',
  'renewCard',
  'replaceCard',
  'renameCard',
] as const;

describe('freezing', () => {
  it('suspends and reactivates a card of the caller', async () => {
    const { id, options, unfreeze } = await userWithCard();
    const { card: frozen } = await service.client.freezeCard(change(id, { reason: 'misplaced' }), options);
    expect(frozen).toMatchObject({
      status: CardStatus.FROZEN,
      frozenBy: CardActor.CARDHOLDER,
      statusReason: 'misplaced',
      history: [],
    });
    const { card: active } = await unfreeze(replica);
    expect(active).toMatchObject({ status: CardStatus.ACTIVE, frozenBy: CardActor.UNSPECIFIED, statusReason: '' });
    const types = async () => (await world.events(id)).map(({ type }) => type);
    await waitFor('the events', async () => ((await types()).length === 3 ? true : undefined));
    expect(await types()).toEqual(['card.issued', 'card.frozen', 'card.unfrozen']);
  });

  it('by the issuer cannot be lifted by the cardholder', async () => {
    const { id, options, unfreeze } = await userWithCard();
    await service.client.freezeCard(change(id), options);
    const { card } = await service.client.freezeCard(change(id, byOffice), await office());
    expect(card).toMatchObject({
      frozenBy: CardActor.ISSUER,
      history: [
        { action: 'freeze', from: CardStatus.ACTIVE, to: CardStatus.FROZEN, actor: CardActor.CARDHOLDER },
        { action: 'freeze', actor: CardActor.ISSUER, actorId: 'office:ann', reason: 'suspected fraud' },
      ],
    });
    await expect(service.client.unfreezeCard(change(id), options)).rejects.toMatchObject({ code: 'FROZEN_BY_ISSUER' });
    const lifted = await service.client.unfreezeCard(change(id, { ...byOffice, reason: 'cleared' }), await office());
    expect(lifted.card).toMatchObject({ status: CardStatus.FROZEN, frozenBy: CardActor.CARDHOLDER });
    expect((await unfreeze()).card?.status).toBe(CardStatus.ACTIVE);
  });
});

describe('requests that change a card', () => {
  it.each(METHODS)('%s returns CARD_NOT_FOUND for another user’s and for an unknown card', async (method) => {
    const { id } = await userWithCard();
    const stranger = await service.as();
    for (const cardId of [id, randomUUID()]) {
      const request = { ...change(cardId), name: 'Mine' };
      await expect(service.client[method](request, stranger.options)).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    }
    const options = await world.serviceOptions('office', [CARD_SCOPES.readCards]);
    expect((await service.client.getCard({ cardId: id }, options)).card).toMatchObject({ status: CardStatus.ACTIVE, history: [] });
  });

  it.each(METHODS)('%s requires the scope, an actor and a reason of a service', async (method) => {
    const { id } = await userWithCard();
    const named = { ...change(id, byOffice), name: 'Theirs' };
    const reader = await world.serviceOptions('office', [CARD_SCOPES.readCards]);
    await expect(service.client[method](named, reader)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const missing of [{ actor: ' ' }, { reason: '' }, { actor: 'a\nb' }, { reason: 'x'.repeat(201) }, { requestId: 'x' }]) {
      await expect(service.client[method]({ ...named, ...missing }, await office())).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });

  it('are idempotent by request id', async () => {
    const { id, options, unfreeze } = await userWithCard();
    const freeze = change(id);
    await service.client.freezeCard(freeze, options);
    await unfreeze();
    expect((await service.client.freezeCard(freeze, options)).card?.status).toBe(CardStatus.ACTIVE);
    await expect(service.client.cancelCard(freeze, options)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const cancel = change(id);
    const twins = await Promise.all([service, replica, service, replica].map(({ client }) => client.cancelCard(cancel, options)));
    expect(new Set(twins.map(({ card }) => card?.status))).toEqual(new Set([CardStatus.CANCELLED]));
    const { card } = await service.client.cancelCard(change(id, byOffice), await office());
    expect(card?.history.map(({ action }) => action)).toEqual(['freeze', 'unfreeze', 'cancel']);
  });

  it('show their history only to services that may change cards', async () => {
    const { id, options } = await userWithCard();
    await service.client.freezeCard(change(id, byOffice), await office());
    const reader = await world.serviceOptions('threeds', [CARD_SCOPES.readCards]);
    for (const caller of [options, reader]) expect((await service.client.getCard({ cardId: id }, caller)).card?.history).toEqual([]);
    expect((await service.client.getCard({ cardId: id }, await auditor())).card?.history).toHaveLength(1);
  });

  it('rename a card', async () => {
    const { id, options } = await userWithCard();
    expect((await service.client.renameCard({ ...change(id), name: ' Holidays ' }, options)).card?.name).toBe('Holidays');
    await expect(service.client.renameCard({ ...change(id), name: 'a\nb' }, options)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await service.client.getCard({ cardId: id }, options)).card?.name).toBe('Holidays');
  });

  it('give a card a colour, which its replacement has too', async () => {
    const { id, options } = await userWithCard();
    const read = async () => (await service.client.getCard({ cardId: id }, options)).card;
    expect(await read()).toMatchObject({ colour: CardColour.UNSPECIFIED });
    const blue = { ...change(id), colour: CardColour.BLUE };
    for (const _repeat of [1, 2])
      expect((await service.client.renameCard(blue, options)).card).toMatchObject({ name: (await read())?.name, colour: CardColour.BLUE });
    await service.client.renameCard({ ...change(id), name: 'Holidays' }, options);
    expect(await read()).toMatchObject({ name: 'Holidays', colour: CardColour.BLUE });
    await service.client.renameCard({ ...change(id), name: 'Travel', colour: CardColour.RED }, options);
    expect(await read()).toMatchObject({ name: 'Travel', colour: CardColour.RED });
    const renamed = (changed: { colour?: CardColour }) => service.client.renameCard({ ...change(id), ...changed }, options);
    await expect(service.client.renameCard({ ...blue, colour: CardColour.RED }, options)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    for (const wrong of [{ colour: 99 as CardColour }, {}])
      await expect(renamed(wrong)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await service.client.reportCardLost(change(id), options);
    expect((await service.client.replaceCard(change(id), options)).card).toMatchObject({ name: 'Travel', colour: CardColour.RED });
  });

  it('end a card exactly once when lost, stolen and cancel race', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, options } = await userWithCard();
      const results = await Promise.allSettled([
        service.client.reportCardLost(change(id), options),
        replica.client.reportCardStolen(change(id), options),
        service.client.cancelCard(change(id), options),
        replica.client.freezeCard(change(id), options),
      ]);
      const ended = results.slice(0, 3).filter(({ status }) => status === 'fulfilled');
      expect(ended).toHaveLength(1);
      const { card } = await service.client.getCard({ cardId: id }, await auditor());
      const last = card?.history.at(-1);
      expect([CardStatus.LOST, CardStatus.STOLEN, CardStatus.CANCELLED]).toContain(card?.status);
      expect(last?.to).toBe(card?.status);
      expect(card?.frozenBy).toBe(CardActor.UNSPECIFIED);
    }
  });

  it('leave room for another card once a card has ended', async () => {
    const { id, options, create, list } = await userWithCard();
    for (let more = 1; more < 5; more += 1) await create();
    await expect(create()).rejects.toMatchObject({ code: 'CARD_LIMIT_REACHED' });
    await service.client.cancelCard(change(id), options);
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'CARD_LIMIT_REACHED' });
    expect(await list(CardStatus.ACTIVE)).toHaveLength(5);
  });
});
