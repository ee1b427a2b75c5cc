import { randomUUID } from 'node:crypto';
import { CardStatus } from '@florin/proto/card/v1/card';
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
  const other = await fresh.create();
  world.identity.told.delete(fresh.userId);
  const person = await service.as(fresh.userId, new Date(world.clock.now().getTime() - agoMs));
  return { person, cardId: card.id, lostId: lost.id, otherId: other.id };
};

type Cards = { cardId: string; lostId: string; otherId: string };
type Limits = { daily?: string; weekly?: string };
type Controls = { onlineOff?: boolean; atmOff?: boolean; countries?: { allow?: string[]; deny?: string[] } };

const setLimits = (person: Person, cardId: string, limits: Limits, approval = '') =>
  service.payments.setCardLimits({ cardId, limits, approval }, person.options);
const setControls = (person: Person, cardId: string, given: Controls, approval = '') =>
  service.payments.setCardControls({ cardId, controls: given, approval }, person.options);
const unfreeze = (person: Person, cardId: string, approval = '', key: string = requestId()) =>
  service.client.unfreezeCard({ cardId, requestId: key, approval }, person.options);

/** The approvals of the same changes by the person's wallet. */
const approveLimits = (person: Person, cardId: string, limits: Limits) => person.approve({ case: 'limits', value: { cardId, limits } });
const approveControls = (person: Person, cardId: string, given: Controls) =>
  person.approve({ case: 'controls', value: { cardId, controls: given } });
const approveUnfreezing = (person: Person, cardId: string) => person.approve({ case: 'unfreezeCardId', value: cardId });

const raising = async (person: Person, cardId: string, limits: Limits) =>
  setLimits(person, cardId, limits, await approveLimits(person, cardId, limits));
const opening = async (person: Person, cardId: string, given: Controls) =>
  setControls(person, cardId, given, await approveControls(person, cardId, given));

const controls = { onlineOff: true, countries: { allow: ['DE'] } };
const CHANGES: [kind: string, change: (person: Person, cards: Cards) => Promise<unknown>][] = [
  ['PHONE_CHANGING', (person) => person.updatePhone({ phone: OTHER_PHONE })],
  ['CARD_ORDERED', (person) => person.create()],
  ['CARD_REPLACED', ({ options }, { lostId }) => service.client.replaceCard({ cardId: lostId, requestId: requestId() }, options)],
  ['CARD_UNFREEZING', async (person, { cardId }) => unfreeze(person, cardId, await approveUnfreezing(person, cardId))],
  ['LIMITS_RAISING', (person, { cardId }) => raising(person, cardId, { daily: '5001' })],
  ['LIMITS_RAISING', (person, { cardId }) => raising(person, cardId, { weekly: '1' })],
  ['CONTROLS_OPENING', (person, { cardId }) => opening(person, cardId, { ...controls, onlineOff: false })],
  ['CONTROLS_OPENING', (person, { cardId }) => opening(person, cardId, { ...controls, countries: { allow: ['DE', 'FR'] } })],
  ['CONTROLS_OPENING', (person, { cardId }) => opening(person, cardId, { onlineOff: true })],
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
    const approval = await approveUnfreezing(person, cardId);
    await expect(failing.client.unfreezeCard({ cardId, requestId: requestId(), approval }, person.options)).rejects.toThrow();
    expect(await stateOf(person, cardId)).toEqual(before);
    // Nothing was changed with it, so it goes on counting for the same request.
    await service.client.unfreezeCard(
      { cardId, requestId: requestId(), approval: await approveUnfreezing(person, cardId) },
      person.options,
    );
  });
});

describe('a change that lets a card pay what it did not', () => {
  /** Each with the approval of something else: another amount, list or card. */
  const UNSIGNED: [name: string, change: (person: Person, cards: Cards, approval: string) => Promise<unknown>, other: typeof otherThan][] =
    [
      ['a higher limit', (person, { cardId }, approval) => setLimits(person, cardId, { daily: '900000' }, approval), otherThan],
      ['an opened control', (person, { cardId }, approval) => setControls(person, cardId, {}, approval), otherThan],
      ['the end of a freeze', (person, { cardId }, approval) => unfreeze(person, cardId, approval), otherThan],
    ];
  async function otherThan(person: Person, { cardId, otherId }: Cards): Promise<string[]> {
    return [
      await approveLimits(person, cardId, { daily: '5001' }),
      await approveLimits(person, otherId, { daily: '900000' }),
      await approveControls(person, cardId, { countries: { allow: ['FR'] } }),
      await approveControls(person, otherId, {}),
      await approveUnfreezing(person, otherId),
      `0x${'ab'.repeat(65)}`,
    ];
  }

  it.each(UNSIGNED)('%s needs the signature of a wallet over this change, however recent the sign-in', async (_name, change, others) => {
    const { person, ...cards } = await personSignedIn(0);
    const before = await stateOf(person, cards.cardId);
    await expect(change(person, cards, '')).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    for (const approval of await others(person, cards))
      await expect(change(person, cards, approval)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    expect(await stateOf(person, cards.cardId)).toEqual(before);
    expect(world.identity.told.get(person.userId)).toBeUndefined();
  });

  it('is made once with a signature: what is closed again stays closed', async () => {
    const { person, cardId } = await personSignedIn(0);
    const higher = await approveLimits(person, cardId, { daily: '900000' });
    const open = await approveControls(person, cardId, {});
    const thaw = await approveUnfreezing(person, cardId);
    // Repeats at the same time succeed with the one signature.
    await Promise.all([1, 2, 3].map(() => setLimits(person, cardId, { daily: '900000' }, higher)));
    await Promise.all([1, 2, 3].map(() => setControls(person, cardId, {}, open)));
    const key = requestId();
    await Promise.all([1, 2, 3].map(() => unfreeze(person, cardId, thaw, key)));
    await setLimits(person, cardId, { daily: '10' });
    await setControls(person, cardId, controls);
    await service.client.freezeCard({ cardId, requestId: requestId() }, person.options);
    const before = await stateOf(person, cardId);
    for (const again of [
      () => setLimits(person, cardId, { daily: '900000' }, higher),
      () => setControls(person, cardId, {}, open),
      () => unfreeze(person, cardId, thaw),
    ])
      await expect(again()).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    expect(await stateOf(person, cardId)).toEqual(before);
  });

  it('is not made for a card that has ended: its replacement would pay more', async () => {
    const { person, lostId } = await personSignedIn(0);
    await service.client.replaceCard({ cardId: lostId, requestId: requestId() }, person.options);
    for (const change of [
      () => approveLimits(person, lostId, { daily: '900000' }),
      () => approveUnfreezing(person, lostId),
      async () => {
        await setLimits(person, lostId, { daily: '10' });
        return setLimits(person, lostId, { daily: '900000' });
      },
    ])
      await expect(change()).rejects.toMatchObject({ code: 'CARD_STATE_CONFLICT' });
  });

  it('is not made by a request that met the card before it was frozen', async () => {
    const { person, otherId } = await personSignedIn(0);
    const requests = Array.from({ length: 200 }, () => unfreeze(person, otherId));
    await service.client.freezeCard({ cardId: otherId, requestId: requestId() }, person.options);
    await Promise.allSettled(requests);
    expect((await person.list(CardStatus.FROZEN)).map(({ id }) => id)).toContain(otherId);
  });

  it('is signed as a text that states what is to hold, and nothing else', async () => {
    const { person, cardId } = await personSignedIn(0);
    const textOf = async (change: Parameters<Person['approve']>[0]) =>
      (await service.payments.createCardChangeChallenge({ change: change ?? { case: undefined } }, person.options)).typedData?.authorization
        .split('\n')
        .slice(3);
    expect(await textOf({ case: 'limits', value: { cardId, limits: { daily: '90000' }, changed: ['daily', 'weekly'] } })).toEqual([
      'Per day: 900.00 EUR',
      'Per week: as the card program',
    ]);
    const lists = { countries: { allow: ['FR', 'DE'] }, merchants: { deny: ['a, "b"', 'c'] } };
    expect(await textOf({ case: 'controls', value: { cardId, controls: { atmOff: true, ...lists } } })).toEqual([
      'Online payments: on',
      'Contactless payments: on',
      'Cash withdrawals: off',
      'Single use: off',
      'Countries allowed: DE, FR',
      'Countries blocked: none',
      'Categories allowed: all',
      'Categories blocked: none',
      'Merchants allowed: all',
      String.raw`Merchants blocked: "a, \"b\"", "c"`,
    ]);
    expect(await textOf({ case: 'controls', value: { cardId, controls: {}, changed: ['countries.allow', 'atm_off'] } })).toEqual([
      'Cash withdrawals: on',
      'Countries allowed: all',
    ]);
    expect(await textOf({ case: 'unfreezeCardId', value: cardId })).toEqual([]);
    const stranger = await service.as();
    const theirs = stranger.approve({ case: 'unfreezeCardId', value: cardId });
    await expect(theirs).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
  });
});
