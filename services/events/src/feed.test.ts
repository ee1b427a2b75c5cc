import { EVENT_TYPES } from '@florin/proto/events/v1/event-types';
import { AppendOutcome } from '@florin/proto/events/v1/feed_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReader } from './testing/reader.ts';
import { createWorld, type Events, newId, type World } from './testing/world.ts';

const { APPENDED, EXISTS, NUMBER_TAKEN } = AppendOutcome;

/** Enough on a machine with other work. */
const LONG = { timeout: 120_000 };

let world: World;
let events: Events;

beforeAll(async () => {
  world = await createWorld({ FOLLOW_JOURNAL: 'false' });
  events = await world.start();
});
afterAll(() => world.close());

/** A partner that no other test uses. */
const newPartner = (): string => `p-${newId().slice(-12)}`;

/** Reads a feed to its end, page by page. */
const readAll = async (partnerId: string, types: string[] = [], { after = '', limit = 7 } = {}) => {
  const reader = createReader();
  let cursor = after;
  for (;;) {
    const page = await events.feed.listEvents({ partnerId, after: cursor, types, limit }, events.backOffice);
    reader.take(page.events);
    cursor = page.cursor;
    if (!page.hasMore) return { reader, cursor, isComplete: reader.isComplete(page.checkpoint), checkpoint: page.checkpoint };
  }
};

describe('appending events', LONG, () => {
  it('numbers the events of a partner without a gap, and keeps those of partners apart', async () => {
    const [one, other] = [newPartner(), newPartner()];
    const [user, stranger, card] = [world.newUser(one), world.newUser(other), newId()];
    const mine = [1, 2, 3].map((number) => world.cardEvent(user, card, number));
    const theirs = world.cardEvent(stranger, newId(), 1);
    const { results } = await events.feed.appendEvents({ events: [...mine, theirs] }, events.card);
    expect(results.map(({ outcome, sequence }) => [outcome, sequence])).toEqual([
      [APPENDED, 1n],
      [APPENDED, 2n],
      [APPENDED, 3n],
      [APPENDED, 1n],
    ]);
    const { reader, isComplete } = await readAll(one);
    expect(isComplete).toBe(true);
    expect(reader.received).toMatchObject(
      mine.map(({ id, type, timestamp }, index) => ({
        id,
        type,
        timestamp,
        subject: `payment/${card}`,
        sequence: BigInt(index + 1),
        subjectSequence: BigInt(index + 1),
      })),
    );
    expect((await readAll(other)).reader.received.map(({ id }) => id)).toEqual([theirs.id]);
  });

  it('goes on after blocks that were written without the numbers of types', async () => {
    const partner = newPartner();
    const user = world.newUser(partner);
    const types = ['payment.authorized', 'payment.cleared', 'payment.authorized'] as const;
    const append = () => events.feed.appendEvents({ events: types.map((type) => world.cardEvent(user, newId(), 1, type)) }, events.card);
    await append();
    const blocks = world.connection.collection<{ _id: string }>('feed_blocks');
    await blocks.updateMany({ feed: partner }, { $unset: { 'events.$[].typeNumber': '' } });
    const other = await world.start();
    await other.feed.appendEvents({ events: [world.cardEvent(user, newId(), 1, 'payment.cleared')] }, other.card);
    await other.close();
    const { reader, isComplete } = await readAll(partner, ['payment.cleared']);
    expect([reader.received.map(({ sequence }) => sequence), isComplete]).toEqual([[2n, 4n], true]);
  });

  it('leaves out everything that the catalogue does not list', async () => {
    const partner = newPartner();
    const userId = world.newUser(partner);
    const event = {
      ...world.cardEvent(userId, userId, 1),
      type: 'user.wallet_added',
      dataJson: JSON.stringify({ userId, address: '0x52908400098527886E0F7030069857D2E4169EE7' }),
    };
    await events.feed.appendEvents({ events: [event] }, events.identity);
    expect((await readAll(partner)).reader.received.map(({ dataJson }) => JSON.parse(dataJson))).toEqual([{ userId }]);
  });

  it('appends an event once, however often it comes', async () => {
    const partner = newPartner();
    const [user, card] = [world.newUser(partner), newId()];
    const [first, second] = [world.cardEvent(user, card, 1), world.cardEvent(user, card, 2)];
    await events.feed.appendEvents({ events: [first] }, events.card);
    const { results } = await events.feed.appendEvents({ events: [first, second, second] }, events.card);
    expect(results.map(({ outcome, sequence }) => [outcome, sequence])).toEqual([
      [EXISTS, 1n],
      [APPENDED, 2n],
      [EXISTS, 2n],
    ]);
    expect((await readAll(partner)).reader.received.map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it('returns the next free number when another event has the number, and holds the subject’s later events back', async () => {
    const partner = newPartner();
    const [user, card] = [world.newUser(partner), newId()];
    const old = [1, 2, 3].map((number) => world.cardEvent(user, card, number));
    await events.feed.appendEvents({ events: old }, events.card);
    const restored = [2, 3].map((number) => world.cardEvent(user, card, number));
    const apart = world.cardEvent(user, newId(), 1);
    const { results } = await events.feed.appendEvents({ events: [...restored, apart] }, events.card);
    expect(results.map(({ outcome, nextSubjectSequence }) => [outcome, nextSubjectSequence])).toEqual([
      [NUMBER_TAKEN, 4n],
      [NUMBER_TAKEN, 5n],
      [APPENDED, 0n],
    ]);
  });

  it('sends what concerns no known user to the feed of the platform', async () => {
    const event = world.cardEvent(newId(), newId(), 1);
    await events.feed.appendEvents({ events: [event] }, events.card);
    const { reader } = await readAll('_platform');
    expect(reader.received.filter(({ id }) => id === event.id)).toHaveLength(1);
  });

  it('appends nothing while the partner cannot be asked', async () => {
    const partner = newPartner();
    const event = world.cardEvent(world.newUser(partner), newId(), 1);
    world.neighbours.setIdentityAway(true);
    await expect(events.feed.appendEvents({ events: [event] }, events.card)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    world.neighbours.setIdentityAway(false);
    await events.feed.appendEvents({ events: [event] }, events.card);
    expect((await readAll(partner)).reader.received).toHaveLength(1);
  });

  it('appends an event to one feed, also when two instances are told of different partners', async () => {
    const [first, second] = [newPartner(), newPartner()];
    const user = world.newUser(first);
    world.neighbours.registering.add(user);
    const event = { ...world.cardEvent(user, user, 1), type: 'user.wallet_added', dataJson: JSON.stringify({ userId: user }) };
    const [inserting, inserted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = await world.start({
      wrapBlocks: (blocks) => ({
        ...blocks,
        insert: async (block) => {
          inserting.resolve();
          await inserted.promise;
          return blocks.insert(block);
        },
      }),
    });
    const appending = slow.feed.appendEvents({ events: [event] }, slow.identity);
    await inserting.promise;
    world.neighbours.registering.delete(user);
    world.neighbours.partners.set(user, second);
    await events.feed.appendEvents({ events: [event] }, events.identity);
    inserted.resolve();
    await appending;
    await slow.close();
    const received = await Promise.all(
      [first, second].map(async (partner) => (await readAll(partner)).reader.received.map(({ id }) => id)),
    );
    expect(received).toEqual([[event.id], []]);
  });

  it('follows a user who is being registered to another partner', async () => {
    const [first, second] = [newPartner(), newPartner()];
    const user = world.newUser(first);
    world.neighbours.registering.add(user);
    await events.feed.appendEvents({ events: [world.cardEvent(user, newId(), 1)] }, events.card);
    world.neighbours.partners.set(user, second);
    // The answer about an unregistered user is remembered for a moment only.
    await expect
      .poll(async () => {
        await events.feed.appendEvents({ events: [world.cardEvent(user, newId(), 1)] }, events.card);
        return (await readAll(second)).reader.received.length;
      }, LONG)
      .toBeGreaterThan(0);
  });

  it.each([
    ['no event', [], 'VALIDATION_FAILED'],
    ['an unknown type', [{ type: 'payment.imagined' }], 'EVENT_TYPE_UNKNOWN'],
    ['another service’s type', [{ type: 'user.registered' }], 'FORBIDDEN'],
    ['data that is no object', [{ dataJson: '[]' }], 'VALIDATION_FAILED'],
    ['data that is no JSON', [{ dataJson: '{' }], 'VALIDATION_FAILED'],
    ['too much data', [{ dataJson: JSON.stringify({ cardId: 'x'.repeat(5000) }) }], 'VALIDATION_FAILED'],
    ['the number 0', [{ subjectSequence: 0n }], 'VALIDATION_FAILED'],
    ['no time', [{ timestamp: undefined }], 'VALIDATION_FAILED'],
    ['no subject', [{ subjectId: '' }], 'VALIDATION_FAILED'],
  ])('rejects %s, and appends nothing', async (_what, changes, code) => {
    const partner = newPartner();
    const user = world.newUser(partner);
    const good = world.cardEvent(user, newId(), 1);
    const bad = changes.map((change) => ({ ...world.cardEvent(user, newId(), 1), ...change }));
    const batch = bad.length === 0 ? [] : [good, ...bad];
    await expect(events.feed.appendEvents({ events: batch } as never, events.card)).rejects.toMatchObject({ code });
    expect((await readAll(partner)).reader.received).toEqual([]);
  });

  it('requires the scope', async () => {
    const batch = { events: [world.cardEvent(newId(), newId(), 1)] };
    await expect(events.feed.appendEvents(batch, events.backOffice)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(events.feed.listEvents({ partnerId: 'acme' }, events.card)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(events.feed.listEvents({ partnerId: 'acme' }, events.stranger)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('several appenders', LONG, () => {
  it('lose and double nothing when they append the same events at once', async () => {
    const partner = newPartner();
    const user = world.newUser(partner);
    const second = await world.start();
    const cards = Array.from({ length: 6 }, newId);
    const batches = Array.from({ length: 8 }, (_, index) => cards.map((card) => world.cardEvent(user, card, index + 1)));
    for (const batch of batches) {
      // Each event comes twice, from two processes.
      const both = await Promise.all([events, second].map((at) => at.feed.appendEvents({ events: batch }, at.card)));
      for (const { results } of both) expect(results.every(({ outcome }) => outcome === APPENDED || outcome === EXISTS)).toBe(true);
    }
    const { reader, isComplete, checkpoint } = await readAll(partner);
    expect(isComplete).toBe(true);
    expect(checkpoint?.sequence).toBe(48n);
    expect(new Set(reader.received.map(({ id }) => id))).toEqual(new Set(batches.flat().map(({ id }) => id)));
    await second.close();
  });

  it('write contiguous blocks, whose ids are their numbers', async () => {
    const partner = newPartner();
    const user = world.newUser(partner);
    const second = await world.start();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const at = index % 2 === 0 ? events : second;
        return at.feed.appendEvents({ events: [world.cardEvent(user, newId(), 1)] }, at.card);
      }),
    );
    const stored = await world.connection
      .collection<{ _id: string; n: number; first: number; last: number }>('feed_blocks')
      .find({ feed: partner })
      .sort({ last: 1 })
      .toArray();
    expect(stored.map(({ _id }) => _id)).toEqual(stored.map((_block, index) => `${partner}:${index + 1}`));
    expect(stored.map(({ first }) => first)).toEqual([1, ...stored.slice(0, -1).map(({ last }) => last + 1)]);
    expect(stored.at(-1)?.last).toBe(40);
    await second.close();
  });

  it('survive kills before and after every write', async () => {
    const partner = newPartner();
    const [user, card] = [world.newUser(partner), newId()];
    let calls = 0;
    // Every second write fails: by turns before and after the engine has it, as a kill or a lost answer would.
    const faulty = await world.start({
      wrapBlocks: (blocks) => ({
        ...blocks,
        insert: async (block) => {
          calls += 1;
          if (calls % 4 === 1) throw new Error('killed before the write');
          const inserted = await blocks.insert(block);
          if (calls % 4 === 3) throw new Error('killed after the write');
          return inserted;
        },
      }),
    });
    const all = Array.from({ length: 12 }, (_, index) => world.cardEvent(user, card, index + 1));
    for (const event of all) {
      for (let done = false; !done; ) {
        done = await faulty.feed.appendEvents({ events: [event] }, faulty.card).then(
          () => true,
          () => false,
        );
      }
    }
    const { reader, isComplete } = await readAll(partner);
    expect(isComplete).toBe(true);
    expect(reader.received.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    await faulty.close();
  });
});

describe('reading events', LONG, () => {
  const TYPES = ['payment.authorized', 'payment.cleared', 'card.frozen', 'card.issued'] as const;

  it.each([[['payment.cleared']], [['card.*']], [['card.*', 'payment.authorized']], [['user.*']], [[]]])(
    'shows a reader of %j that nothing is missing, from any page size',
    async (types) => {
      const partner = newPartner();
      const user = world.newUser(partner);
      for (let index = 0; index < 14; index += 1) {
        const type = TYPES[(index * 7) % 4] ?? 'card.issued';
        await events.feed.appendEvents({ events: [world.cardEvent(user, newId(), 1, type)] }, events.card);
      }
      for (const limit of [1, 4, 500]) {
        const { reader, isComplete } = await readAll(partner, types, { limit });
        expect(isComplete).toBe(true);
        const isAsked = (type: string) =>
          types.length === 0 || types.some((one) => one === type || (one.endsWith('*') && type.startsWith(one.slice(0, -1))));
        expect(reader.received.every(({ type }) => isAsked(type))).toBe(true);
      }
    },
  );

  it('lets a filtered reader see that an event is missing', async () => {
    const partner = newPartner();
    const user = world.newUser(partner);
    const batch = TYPES.map((type) => world.cardEvent(user, newId(), 1, type));
    await events.feed.appendEvents({ events: [...batch, world.cardEvent(user, newId(), 1)] }, events.card);
    const page = await events.feed.listEvents({ partnerId: partner, types: ['payment.*'] }, events.backOffice);
    expect(page.events.map(({ sequence, previousSequence }) => [sequence, previousSequence])).toEqual([
      [1n, 0n],
      [2n, 1n],
      [5n, 2n],
    ]);
    const [first, , third] = page.events;
    expect(() => createReader().take([first, third].filter((event) => event !== undefined))).toThrow('between 1 and 5');
    const short = createReader();
    short.take(page.events.slice(0, 2));
    expect(short.isComplete(page.checkpoint)).toBe(false);
  });

  it('goes on at a cursor with another filter, and knows what preceded it', async () => {
    const partner = newPartner();
    const user = world.newUser(partner);
    await events.feed.appendEvents({ events: TYPES.map((type) => world.cardEvent(user, newId(), 1, type)) }, events.card);
    const { cursor } = await events.feed.listEvents({ partnerId: partner, limit: 2 }, events.backOffice);
    await events.feed.appendEvents({ events: [world.cardEvent(user, newId(), 1, 'payment.cleared')] }, events.card);
    const page = await events.feed.listEvents({ partnerId: partner, after: cursor, types: ['payment.*'] }, events.backOffice);
    expect(page.events.map(({ sequence, previousSequence }) => [sequence, previousSequence])).toEqual([[5n, 2n]]);
  });

  it('reads only the blocks that have what it asks for', async () => {
    const partner = newPartner();
    const user = world.newUser(partner);
    const RARE = 30;
    for (let index = 1; index <= 40; index += 1) {
      const type = index === RARE ? 'payment.cleared' : 'payment.authorized';
      await events.feed.appendEvents({ events: [world.cardEvent(user, newId(), 1, type)] }, events.card);
    }
    const read: number[] = [];
    const other = await world.start({
      wrapBlocks: (blocks) => ({
        ...blocks,
        after: async (...asked) => {
          const found = await blocks.after(...asked);
          read.push(found.length);
          return found;
        },
      }),
    });
    const page = (types: string[], limit = 100) => other.feed.listEvents({ partnerId: partner, types, limit }, other.backOffice);
    const rare = await page(['payment.cleared']);
    expect(rare).toMatchObject({ cursor: `${partner}:40`, hasMore: false, events: [{ sequence: BigInt(RARE), previousSequence: 0n }] });
    expect(read.splice(0)).toEqual([1]);
    // None at all: the end of the feed says so.
    expect(await page(['payment.reversed'])).toMatchObject({ cursor: `${partner}:40`, hasMore: false, events: [] });
    expect(read.splice(0)).toEqual([]);
    // No more blocks than the page can have events.
    expect((await page([], 3)).events).toHaveLength(3);
    expect(read).toEqual([4]);
    await other.close();
  });

  it('gives a partner its own feed only', async () => {
    const user = world.newUser('acme');
    const event = world.cardEvent(user, newId(), 1);
    await events.feed.appendEvents({ events: [event] }, events.card);
    const own = await events.feed.listEvents({}, events.acme);
    expect(own.events.map(({ id }) => id)).toEqual([event.id]);
    expect((await events.feed.listEvents({ partnerId: 'acme' }, events.acme)).events).toHaveLength(1);
    for (const partnerId of ['other', '_platform']) {
      await expect(events.feed.listEvents({ partnerId }, events.acme)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(events.feed.listEvents({ after: own.cursor }, events.other)).rejects.toMatchObject({ code: 'CURSOR_INVALID' });
  });

  it.each([
    ['acme:99999999', 'CURSOR_AHEAD'],
    ['acme:-1', 'CURSOR_INVALID'],
    ['acme:01', 'CURSOR_INVALID'],
    ['acme', 'CURSOR_INVALID'],
    ['other:0', 'CURSOR_INVALID'],
    ['acme:9999999999999999', 'CURSOR_INVALID'],
    ['x'.repeat(65), 'VALIDATION_FAILED'],
  ])('rejects the cursor %s', async (after, code) => {
    await expect(events.feed.listEvents({ partnerId: 'acme', after }, events.backOffice)).rejects.toMatchObject({ code });
  });

  it.each([
    [{ types: ['payment.imagined'] }, 'EVENT_TYPE_UNKNOWN'],
    [{ types: ['payments.*'] }, 'EVENT_TYPE_UNKNOWN'],
    [{ types: ['*'] }, 'EVENT_TYPE_UNKNOWN'],
    [{ types: [''] }, 'VALIDATION_FAILED'],
    [{ types: Array.from({ length: 101 }, () => 'card.*') }, 'VALIDATION_FAILED'],
    [{ limit: 501 }, 'VALIDATION_FAILED'],
    [{ partnerId: '' }, 'VALIDATION_FAILED'],
    [{ partnerId: 'No partner' }, 'VALIDATION_FAILED'],
  ])('rejects %j', async (request, code) => {
    await expect(events.feed.listEvents({ partnerId: 'acme', ...request }, events.backOffice)).rejects.toMatchObject({ code });
  });

  it('returns the catalogue', async () => {
    const { types } = await events.feed.listEventTypes({}, events.acme);
    expect(types.map(({ name }) => name)).toEqual(Object.keys(EVENT_TYPES));
    expect(types.find(({ name }) => name === 'user.wallet_added')).toMatchObject({ subjectKind: 'user', fields: ['userId'] });
  });
});

describe('the catalogue', () => {
  it('gives every type a number of its own', () => {
    const numbers = Object.values(EVENT_TYPES).map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
