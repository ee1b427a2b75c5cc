import { randomUUID } from 'node:crypto';
import { CardStatus } from '@florin/proto/card/v1/card';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, OTHER_PHONE, PHONE, type World } from '../testing/world.ts';

let world: World;
let card: Awaited<ReturnType<World['start']>>;
let strict: Awaited<ReturnType<World['start']>>;

beforeAll(async () => {
  world = await createWorld();
  card = await world.start();
  strict = await world.start({ env: { PHONE_VERIFICATION: 'required' } });
});
afterAll(() => world.close());

const userWithCard = async () => {
  const user = await card.as();
  await user.create({ phone: PHONE });
  return user;
};

describe('ListCards', () => {
  it("returns only the caller's cards, newest first", async () => {
    const user = await userWithCard();
    world.clock.advanceSeconds(1);
    await user.create({ cardName: 'Second' });
    world.clock.advanceSeconds(1);
    await user.create({ cardName: 'Third' });
    expect((await user.list()).map(({ name }) => name)).toEqual(['Third', 'Second', 'Everyday']);
    expect(await (await card.as()).list()).toEqual([]);
  });

  it('filters by the current status and rejects an unknown one', async () => {
    const user = await userWithCard();
    expect(await user.list(CardStatus.ACTIVE)).toHaveLength(1);
    for (const status of [CardStatus.FROZEN, CardStatus.LOST, CardStatus.STOLEN, CardStatus.CANCELLED, CardStatus.EXPIRED]) {
      expect(await user.list(status)).toEqual([]);
    }
    await expect(user.list(99 as CardStatus)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('pages of ListCards', () => {
  it('contain every card once, newest first, while cards are added', async () => {
    const user = await userWithCard();
    for (const cardName of ['Second', 'Third', 'Fourth']) await user.create({ cardName });
    const first = await user.page({ limit: 2, cursor: '' });
    expect(first.cards.map(({ name }) => name)).toEqual(['Fourth', 'Third']);
    await user.create({ cardName: 'Fifth' });
    const second = await user.page({ limit: 2, cursor: first.page?.nextCursor ?? '' });
    expect(second.cards.map(({ name }) => name)).toEqual(['Second', 'Everyday']);
    expect(second.page?.nextCursor).toBe('');
  });

  it('reject an invalid limit or cursor', async () => {
    const user = await card.as();
    for (const page of [
      { limit: 101, cursor: '' },
      { limit: -1, cursor: '' },
      { limit: 1, cursor: 'bogus' },
    ]) {
      await expect(user.page(page)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });
});

describe('GetCard', () => {
  it('returns any card to a service with the scope, without limits', async () => {
    const user = await userWithCard();
    const [own] = await user.list();
    const options = await world.serviceOptions('threeds', [CARD_SCOPES.readCards]);
    const { limits, ...facts } = own ?? {};
    expect(limits).toBeDefined();
    expect((await card.client.getCard({ cardId: own?.id ?? '' }, options)).card).toEqual(facts);
    await expect(card.client.getCard({ cardId: randomUUID() }, options)).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    await expect(card.client.getCard({ cardId: 'x' }, options)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('returns several cards to a service, each once, without those that do not exist', async () => {
    const cards = [...(await (await userWithCard()).list()), ...(await (await userWithCard()).list())];
    const options = await world.serviceOptions('threeds', [CARD_SCOPES.readCards]);
    const ids = cards.map(({ id }) => id);
    const found = (await card.client.batchGetCards({ cardIds: [...ids, randomUUID(), ...ids] }, options)).cards;
    expect(found).toHaveLength(2);
    for (const cardId of ids) {
      expect(found.find(({ id }) => id === cardId)).toEqual((await card.client.getCard({ cardId }, options)).card);
    }
    for (const cardIds of [['x'], Array.from({ length: 101 }, () => randomUUID())]) {
      await expect(card.client.batchGetCards({ cardIds }, options)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    const stranger = await world.serviceOptions('gateway', [CARD_SCOPES.readCards]);
    await expect(card.client.batchGetCards({ cardIds: ids }, stranger)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('rejects a service without the scope', async () => {
    const options = await world.serviceOptions('gateway', [CARD_SCOPES.readCards]);
    await expect(card.client.getCard({ cardId: randomUUID() }, options)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('GetCurrentCardholder', () => {
  it("returns the caller's cardholder or CARDHOLDER_NOT_FOUND", async () => {
    const user = await userWithCard();
    expect(await user.cardholder()).toMatchObject({
      phone: PHONE,
      phoneVerified: false,
      cardholderId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await expect((await card.as()).cardholder()).rejects.toMatchObject({ code: 'CARDHOLDER_NOT_FOUND' });
  });
});

describe('UpdatePhone', () => {
  it('never creates a cardholder', async () => {
    const user = await card.as();
    world.identity.codes.set('100000', { phone: PHONE });
    for (const request of [{ phone: PHONE }, { code: '100000', requestId: randomUUID() }, {}]) {
      await expect(user.updatePhone(request)).rejects.toMatchObject({ code: 'CARDHOLDER_NOT_FOUND' });
    }
    await expect(user.cardholder()).rejects.toMatchObject({ code: 'CARDHOLDER_NOT_FOUND' });
  });

  it.each([
    ['phone', {}],
    ['phone', { phone: '12345' }],
    ['code', { code: '1'.repeat(17) }],
    ['request_id', { code: '123456' }],
    ['request_id', { code: '123456', requestId: 'x' }],
    ['request_id', { phone: PHONE, requestId: 'x' }],
  ])('rejects a bad %s, naming it: %j', async (field, request) => {
    const user = await userWithCard();
    const rejected = user.updatePhone(request);
    await expect(rejected).rejects.toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringMatching(new RegExp(`^${field}: `)) });
    expect(await user.cardholder()).toMatchObject({ phone: PHONE });
  });

  it.each(['12345', 'abcdef'])('rejects %j as a wrong code', async (code) => {
    const user = await userWithCard();
    await expect(user.updatePhone({ code, requestId: randomUUID() })).rejects.toMatchObject({ code: 'INVALID_CODE' });
    expect(await user.cardholder()).toMatchObject({ phone: PHONE });
  });

  it('sets an unverified number and publishes one event', async () => {
    const user = await userWithCard();
    await user.updatePhone({ phone: OTHER_PHONE });
    await user.updatePhone({ phone: OTHER_PHONE });
    await Promise.all([user.updatePhone({ phone: OTHER_PHONE }), user.updatePhone({ phone: OTHER_PHONE })]);
    const { cardholderId, ...rest } = await user.cardholder();
    expect(rest).toMatchObject({ phone: OTHER_PHONE, phoneVerified: false });
    const changes = async () => (await world.events(user.userId)).filter(({ type }) => type === 'cardholder.phone_changed');
    await waitFor('the event', async () => ((await changes()).length > 0 ? true : undefined));
    const { userId } = user;
    expect(await changes()).toEqual([{ type: 'cardholder.phone_changed', payload: { cardholderId, userId, phoneVerified: false } }]);
  });

  it('sets the number that a code verifies, idempotently per verification', async () => {
    const user = await userWithCard();
    world.identity.codes.set('200000', { phone: OTHER_PHONE });
    const request = { code: '200000', requestId: randomUUID() };
    await Promise.all([user.updatePhone(request), user.updatePhone(request)]);
    await user.updatePhone({ ...request, phone: OTHER_PHONE });
    expect(await user.cardholder()).toMatchObject({ phone: OTHER_PHONE, phoneVerified: true });
    await expect(user.updatePhone({ ...request, requestId: randomUUID() })).rejects.toMatchObject({ code: 'INVALID_CODE' });
    // Setting the same number without a code keeps its verification; another number loses it.
    await user.updatePhone({ phone: OTHER_PHONE });
    expect(await user.cardholder()).toMatchObject({ phone: OTHER_PHONE, phoneVerified: true });
    await user.updatePhone({ phone: PHONE });
    expect(await user.cardholder()).toMatchObject({ phone: PHONE, phoneVerified: false });
    // The number that was verified is told of its end, and one that was not is not.
    await user.updatePhone({ phone: OTHER_PHONE });
    expect(world.identity.told.get(user.userId)?.slice(-2)).toEqual([`PHONE_CHANGING ${OTHER_PHONE}`, 'PHONE_CHANGING']);
  });

  it('verifies the current number', async () => {
    const user = await userWithCard();
    world.identity.codes.set('300000', { phone: PHONE });
    await user.updatePhone({ code: '300000', requestId: randomUUID() });
    expect(await user.cardholder()).toMatchObject({ phone: PHONE, phoneVerified: true });
  });

  it.each([
    ['wrong', '400000', undefined, 'INVALID_CODE'],
    ['expired', '500000', { error: 'CODE_EXPIRED' }, 'CODE_EXPIRED'],
    ['for another number', '600000', { phone: '+4915112345670' }, 'INVALID_CODE'],
    ['not verifiable while identity is unavailable', '700000', { error: 'SERVICE_UNAVAILABLE' }, 'SERVICE_UNAVAILABLE'],
    ['rejected with an unexpected code', '800000', { error: 'UNAUTHORIZED' }, 'INTERNAL_ERROR'],
  ] as const)('changes nothing with a code that is %s', async (_what, code, known, expected) => {
    const user = await userWithCard();
    if (known !== undefined) world.identity.codes.set(code, known);
    const rejected = user.updatePhone({ phone: OTHER_PHONE, code, requestId: randomUUID() });
    await expect(rejected).rejects.toMatchObject({ code: expected });
    expect(await user.cardholder()).toMatchObject({ phone: PHONE, phoneVerified: false });
  });

  it('requires a code where phones must be verified', async () => {
    const user = await userWithCard();
    const there = await strict.as(user.userId);
    await expect(there.updatePhone({ phone: OTHER_PHONE })).rejects.toMatchObject({ code: 'CODE_REQUIRED' });
    expect(await user.cardholder()).toMatchObject({ phone: PHONE });
    world.identity.codes.set('910000', { phone: OTHER_PHONE });
    await there.updatePhone({ phone: OTHER_PHONE, code: '910000', requestId: randomUUID() });
    expect(await user.cardholder()).toMatchObject({ phone: OTHER_PHONE, phoneVerified: true });
  });
});
