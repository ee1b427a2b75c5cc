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

type Reading = { cursor: string; types?: string[]; until: (received: number) => boolean; at?: Events };

/** Reads a stream until `until` is satisfied and a checkpoint shows that nothing is missing, then disconnects. @returns the cursor */
const watchOn = async (reader: ReturnType<typeof createReader>, partnerId: string, { cursor, types = [], until, at = events }: Reading) => {
  const controller = new AbortController();
  let last = cursor;
  try {
    const stream = at.feed.watchEvents({ partnerId, after: cursor, types }, { ...at.backOffice, signal: controller.signal });
    for await (const message of stream) {
      reader.take(message.events);
      last = message.cursor;
      if (until(reader.received.length)) break;
    }
  } finally {
    controller.abort();
  }
  return last;
};

const newPartner = (): string => `p-${newId().slice(-12)}`;

describe('watching events', LONG, () => {
  it('returns what is there, then what comes, also from another instance, and resumes at a cursor', async () => {
    const partner = newPartner();
    const user = world.newUser(partner);
    const second = await world.start();
    const append = (at: Events) => at.feed.appendEvents({ events: [world.cardEvent(user, newId(), 1)] }, at.card);
    await append(events);
    const reader = createReader();
    const watching = watchOn(reader, partner, { cursor: '', until: (received) => received === 3 });
    await expect.poll(() => reader.received.length, LONG).toBe(1);
    await append(second);
    await expect.poll(() => reader.received.length, LONG).toBe(2);
    await append(events);
    const cursor = await watching;
    expect(cursor).toBe(`${partner}:3`);
    await append(events);
    await watchOn(reader, partner, { cursor, until: (received) => received === 4, at: second });
    expect(reader.received.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n, 4n]);
    await second.close();
  });

  it('sends a checkpoint at once, by which a filtered reader knows that it has everything', async () => {
    const partner = newPartner();
    const user = world.newUser(partner);
    const types = ['payment.cleared', 'payment.authorized', 'payment.authorized'] as const;
    await events.feed.appendEvents({ events: types.map((type) => world.cardEvent(user, newId(), 1, type)) }, events.card);
    const controller = new AbortController();
    const request = { partnerId: partner, types: ['payment.cleared'] };
    for await (const { events: received, checkpoint, cursor } of events.feed.watchEvents(request, {
      ...events.backOffice,
      signal: controller.signal,
    })) {
      expect(received.map(({ sequence }) => sequence)).toEqual([1n]);
      expect(checkpoint).toMatchObject({ sequence: 3n, previousSequence: 1n });
      expect(cursor).toBe(`${partner}:3`);
      break;
    }
    controller.abort();
  });

  it('misses nothing while events are appended and the reader breaks off again and again', async () => {
    const partner = newPartner();
    const user = world.newUser(partner);
    const total = 48;
    const appending = (async () => {
      for (let index = 0; index < total; index += 4) {
        const batch = Array.from({ length: 4 }, () => world.cardEvent(user, newId(), 1));
        await events.feed.appendEvents({ events: batch }, events.card);
      }
    })();
    const reader = createReader();
    let cursor = '';
    while (reader.received.length < total) {
      const before = reader.received.length;
      cursor = await watchOn(reader, partner, { cursor, until: (received) => received > before });
    }
    await appending;
    expect(reader.received.at(-1)?.sequence).toBe(BigInt(total));
    const { checkpoint } = await events.feed.listEvents({ partnerId: partner, after: cursor }, events.backOffice);
    expect(reader.isComplete(checkpoint)).toBe(true);
  });

  it.each([
    [{ partnerId: 'acme', after: 'acme:5' }, 'CURSOR_AHEAD'],
    [{ partnerId: 'acme', after: 'other:0' }, 'CURSOR_INVALID'],
    [{ partnerId: 'acme', types: ['nothing.*'] }, 'EVENT_TYPE_UNKNOWN'],
    [{}, 'VALIDATION_FAILED'],
  ])('rejects %j', async (request, code) => {
    const reading = (async () => {
      for await (const _message of events.feed.watchEvents(request, events.backOffice)) return;
    })();
    await expect(reading).rejects.toMatchObject({ code });
  });

  it('gives a partner its own feed only', async () => {
    const reading = (async () => {
      for await (const _message of events.feed.watchEvents({ partnerId: 'other' }, events.acme)) return;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
