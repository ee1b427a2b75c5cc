import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReader } from './testing/reader.ts';
import { createWorld, type Events, newId, type World } from './testing/world.ts';

/** Enough on a machine with other work. */
const LONG = { timeout: 120_000 };

let world: World;
let events: Events;

beforeAll(async () => {
  world = await createWorld({ FOLLOW_JOURNAL: 'false' });
  events = await world.start();
});
afterAll(() => world.close());

const newPartner = (): string => `p-${newId().slice(-12)}`;

/** Call options with the token of a user. */
const as = async (userId: string, partnerId: string) => ({
  headers: { authorization: `Bearer ${await world.authority.userToken({ wallet: WALLET, userId, partnerId })}` },
});
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

type Asked = { after?: string; types?: string[]; limit?: number };

/** Reads all pages, and proves that nothing is missing. */
const readAll = async (userId: string, partner: string, { after = '', ...asked }: Asked = {}) => {
  const options = await as(userId, partner);
  const reader = createReader();
  for (let cursor = after; ; ) {
    const page = await events.feed.listUserEvents({ ...asked, after: cursor }, options);
    reader.take(page.events);
    ({ cursor } = page);
    if (!page.hasMore) return { ...reader, cursor, complete: reader.isComplete(page.checkpoint), checkpoint: page.checkpoint };
  }
};

const TYPES = ['payment.authorized', 'payment.cleared', 'card.frozen'] as const;

describe('the events of a user', LONG, () => {
  it('are those of its own subjects, complete with any filter and page size', async () => {
    const partner = newPartner();
    const users = [world.newUser(partner), world.newUser(partner), world.newUser(partner)];
    const owners = Array.from({ length: 60 }, (_, index) => (index * index + Math.floor(index / 5)) % 3);
    const appended = owners.map((owner, index) => ({
      owner,
      event: world.cardEvent(users[owner] ?? '', newId(), 1, TYPES[index % 3]),
    }));
    for (let from = 0; from < appended.length; from += 7)
      await events.feed.appendEvents({ events: appended.slice(from, from + 7).map(({ event }) => event) }, events.card);
    for (const [owner, userId] of users.entries()) {
      for (const types of [[], ['payment.cleared'], ['card.*'], ['user.*']]) {
        const own = appended.filter(
          (one) => one.owner === owner && (types.length === 0 || types.some((type) => one.event.type.startsWith(type.replace('*', '')))),
        );
        for (const limit of [1, 3, 500]) {
          const { received, complete, checkpoint } = await readAll(userId, partner, { types, limit });
          expect(received.map(({ id }) => id)).toEqual(own.map(({ event }) => event.id));
          expect(complete).toBe(true);
          expect(checkpoint?.sequence).toBe(60n);
        }
      }
    }
  });

  it('include those of which only the account says whose they are', async () => {
    const partner = newPartner();
    const [userId, accountId, cardId] = [world.newUser(partner), newId(), newId()];
    world.neighbours.holders.set(accountId, userId);
    const event = { ...world.cardEvent(userId, cardId, 1, 'card.issued'), dataJson: JSON.stringify({ cardId, accountId }) };
    await events.feed.appendEvents({ events: [event] }, events.card);
    expect((await readAll(userId, partner)).received.map(({ id }) => id)).toEqual([event.id]);
  });

  it('go on at a cursor, also one of the partner’s feed, and know what preceded it', async () => {
    const partner = newPartner();
    const [userId, other] = [world.newUser(partner), world.newUser(partner)];
    const [first, theirs, second] = [userId, other, userId].map((owner) => world.cardEvent(owner, newId(), 1));
    for (const event of [first, theirs, second]) if (event) await events.feed.appendEvents({ events: [event] }, events.card);
    const options = await as(userId, partner);
    for (const place of [1, 2]) {
      const page = await events.feed.listUserEvents({ after: `${partner}:${place}` }, options);
      expect(page.events.map(({ sequence, previousSequence }) => [sequence, previousSequence])).toEqual([[3n, 1n]]);
      expect(page.cursor).toBe(`${partner}:3`);
    }
    const end = await events.feed.listUserEvents({ after: `${partner}:3` }, options);
    expect(end).toMatchObject({ events: [], hasMore: false, checkpoint: { sequence: 3n, previousSequence: 3n } });
  });

  it('are nobody else’s: of the same partner, of another one, or with the same id at another one', async () => {
    const [partner, elsewhere] = [newPartner(), newPartner()];
    const [userId, neighbour, stranger] = [world.newUser(partner), world.newUser(partner), world.newUser(elsewhere)];
    await events.feed.appendEvents({ events: [world.cardEvent(userId, newId(), 1)] }, events.card);
    expect((await readAll(neighbour, partner)).received).toEqual([]);
    expect((await readAll(stranger, elsewhere)).received).toEqual([]);
    expect((await readAll(userId, elsewhere)).received).toEqual([]);
    const theirs = { after: `${partner}:0` };
    await expect(events.feed.listUserEvents(theirs, await as(stranger, elsewhere))).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it.each([
    [{ after: 'p-none:0' }, 'CURSOR_INVALID'],
    [{ after: 'x' }, 'CURSOR_INVALID'],
    [{ types: ['payment.imagined'] }, 'EVENT_TYPE_UNKNOWN'],
    [{ limit: 501 }, 'VALIDATION_FAILED'],
    [{ after: 'x'.repeat(65) }, 'VALIDATION_FAILED'],
  ])('reject %j', async (request, code) => {
    const partner = newPartner();
    const options = await as(world.newUser(partner), partner);
    await expect(events.feed.listUserEvents(request, options)).rejects.toMatchObject({ code });
    await expect(events.feed.listUserEvents({ after: `${partner}:1` }, options)).rejects.toMatchObject({ code: 'CURSOR_AHEAD' });
  });

  it('are for registered users, and for services with the scope that name a user', async () => {
    const wallet = { headers: { authorization: `Bearer ${await world.authority.userToken({ wallet: WALLET })}` } };
    await expect(events.feed.listUserEvents({}, wallet)).rejects.toMatchObject({ code: 'USER_NOT_REGISTERED' });
    for (const service of [events.acme, events.backOffice]) {
      await expect(events.feed.listUserEvents({ partnerId: 'acme' }, service)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    await expect(events.feed.listUserEvents({ partnerId: 'other', userId: crypto.randomUUID() }, events.acme)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect(events.feed.listUserEvents({}, {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
