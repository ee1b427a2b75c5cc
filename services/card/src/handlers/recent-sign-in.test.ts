import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, OTHER_PHONE, PHONE, type World } from '../testing/world.ts';

const FIVE_MINUTES_MS = 5 * 60_000;

let world: World;
let service: Awaited<ReturnType<World['start']>>;

beforeAll(async () => {
  world = await createWorld();
  service = await world.start();
});
afterAll(() => world?.close());

type Person = Awaited<ReturnType<typeof service.as>>;
const requestId = () => randomUUID();

/** A cardholder with limits, controls and a frozen card, seen through a session that began so long ago. */
const personSignedIn = async (agoMs: number) => {
  const fresh = await service.as();
  const card = await fresh.create({ phone: PHONE });
  await service.payments.setCardLimits({ cardId: card.id, limits: { daily: '5000' } }, fresh.options);
  await service.payments.setCardControls({ cardId: card.id, controls: { onlineOff: true, countries: { allow: ['DE'] } } }, fresh.options);
  await service.client.freezeCard({ cardId: card.id, requestId: requestId() }, fresh.options);
  const lost = await fresh.create();
  await service.client.reportCardLost({ cardId: lost.id, requestId: requestId() }, fresh.options);
  world.identity.told.delete(fresh.userId);
  const person = await service.as(fresh.userId, new Date(world.clock.now().getTime() - agoMs));
  return { person, cardId: card.id, lostId: lost.id };
};

type Cards = { cardId: string; lostId: string };
const controls = { onlineOff: true, countries: { allow: ['DE'] } };
const CHANGES: [kind: string, change: (person: Person, cards: Cards) => Promise<unknown>][] = [
  ['PHONE_CHANGING', (person) => person.updatePhone({ phone: OTHER_PHONE })],
  ['CARD_ORDERED', (person) => person.create()],
  ['CARD_REPLACED', ({ options }, { lostId }) => service.client.replaceCard({ cardId: lostId, requestId: requestId() }, options)],
  ['CARD_UNFREEZING', ({ options }, { cardId }) => service.client.unfreezeCard({ cardId, requestId: requestId() }, options)],
  ['LIMITS_RAISING', ({ options }, { cardId }) => service.payments.setCardLimits({ cardId, limits: { daily: '5001' } }, options)],
  ['LIMITS_RAISING', ({ options }, { cardId }) => service.payments.setCardLimits({ cardId, limits: { weekly: '1' } }, options)],
  [
    'CONTROLS_OPENING',
    ({ options }, { cardId }) => service.payments.setCardControls({ cardId, controls: { ...controls, onlineOff: false } }, options),
  ],
  [
    'CONTROLS_OPENING',
    ({ options }, { cardId }) =>
      service.payments.setCardControls({ cardId, controls: { ...controls, countries: { allow: ['DE', 'FR'] } } }, options),
  ],
  ['CONTROLS_OPENING', ({ options }, { cardId }) => service.payments.setCardControls({ cardId, controls: { onlineOff: true } }, options)],
];

const stateOf = async ({ options, list, cardholder }: Person, cardId: string) => ({
  phone: (await cardholder()).phone,
  cards: (await list()).map(({ id, status, replacedBy }) => [id, status, replacedBy]),
  limit: (await service.payments.getCardLimits({ cardId }, options)).limits?.daily?.amount,
  controls: (await service.payments.getCardControls({ cardId }, options)).controls,
});

describe('a token of a session that began more than five minutes ago', () => {
  it('does not change what protects the cards, and mails nobody', async () => {
    const { person, ...cards } = await personSignedIn(FIVE_MINUTES_MS + 1000);
    const before = await stateOf(person, cards.cardId);
    for (const [, change] of CHANGES) await expect(change(person, cards)).rejects.toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    const code = person.updatePhone({ code: '123456', requestId: requestId() });
    await expect(code).rejects.toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    expect(await stateOf(person, cards.cardId)).toEqual(before);
    expect(world.identity.told.get(person.userId)).toBeUndefined();
  });

  it('closes: freezes cards, lowers limits, forbids payments, and repeats what was done', async () => {
    const { person, cardId } = await personSignedIn(FIVE_MINUTES_MS + 1000);
    const { options } = person;
    await service.payments.setCardLimits({ cardId, limits: { daily: '5000', weekly: '20000' } }, options);
    await service.payments.setCardLimits({ cardId, limits: { daily: '10', weekly: '20000' } }, options);
    await service.payments.setCardControls(
      { cardId, controls: { ...controls, atmOff: true, countries: { allow: ['DE'], deny: ['FR'] } } },
      options,
    );
    await service.client.freezeCard({ cardId, requestId: requestId() }, options);
    await person.updatePhone({ phone: PHONE });
    expect((await stateOf(person, cardId)).limit).toBe('10');
  });

  it('orders the first card, which is mailed', async () => {
    const person = await service.as(randomUUID(), new Date('2000-01-01T00:00:00Z'));
    await person.create({ phone: PHONE });
    expect(world.identity.told.get(person.userId)).toEqual(['CARD_ORDERED']);
  });
});

describe('a session that began just now', () => {
  it('changes what protects the cards, and each change is mailed', async () => {
    for (const [kind, change] of CHANGES) {
      const { person, ...cards } = await personSignedIn(FIVE_MINUTES_MS - 1000);
      await change(person, cards);
      expect([kind, world.identity.told.get(person.userId)]).toEqual([kind, [kind]]);
    }
  });

  it('changes nothing while the user cannot be told', async () => {
    const failing = await world.start({ notices: { tell: () => Promise.reject(new Error('identity is unavailable')) } });
    const { person, cardId } = await personSignedIn(0);
    const before = await stateOf(person, cardId);
    await expect(failing.client.unfreezeCard({ cardId, requestId: requestId() }, person.options)).rejects.toThrow();
    expect(await stateOf(person, cardId)).toEqual(before);
  });
});
