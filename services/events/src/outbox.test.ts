import {
  type AppendToFeed,
  createFeedClient,
  createOutboxRelay,
  type OutboxEvent,
  type Outboxed,
  outboxField,
  outboxIndex,
  type Publish,
} from '@florin/data/outbox';
import { EVENT_TYPES, type EventType } from '@florin/proto/events/v1/event-types';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { createServiceTokenSource } from '@florin/rpc/auth';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { type Model, Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createReader } from './testing/reader.ts';
import { createWorld, type Events, newId, type World } from './testing/world.ts';

type Card = Outboxed & { _id: string };

const LONG = 120_000;

let world: World;
let events: Events;
let channel: RpcChannel;
let feed: AppendToFeed;

beforeAll(async () => {
  world = await createWorld({ FOLLOW_JOURNAL: 'false' });
  events = await world.start();
  const serviceToken = createServiceTokenSource({
    key: world.authority.serviceKey('card'),
    audience: 'events',
    scopes: [EVENTS_SCOPES.append],
  });
  channel = createRpcChannel({ baseUrl: events.app.url, serviceToken });
  feed = createFeedClient(channel);
});
afterAll(async () => {
  await channel.close();
  await world.close();
});

const published: Publish = async () => undefined;

/** A collection of cards of one user of a new partner. */
const newCards = async () => {
  const partner = `p-${newId().slice(-12)}`;
  const user = world.newUser(partner);
  const schema = new Schema<Card>({ _id: String, outbox: outboxField }, { collection: `cards_${newId()}`, versionKey: false });
  schema.index(outboxIndex);
  const model: Model<Card> = world.connection.model<Card>(`Card${newId()}`, schema);
  await model.createIndexes();
  const eventOf = (card: string, type = 'card.frozen'): OutboxEvent => ({
    id: newId(),
    type,
    at: new Date(),
    payload: { cardId: card, userId: user, status: 'frozen' },
  });
  return {
    partner,
    model,
    change: async (card: string, ...types: string[]): Promise<string[]> => {
      const made = (types.length === 0 ? ['card.frozen'] : types).map((type) => eventOf(card, type));
      await model.updateOne({ _id: card }, { $push: { outbox: { $each: made } } }, { upsert: true });
      return made.map(({ id }) => id);
    },
    relay: (through: AppendToFeed = feed, publish = published) => {
      const relay = createOutboxRelay({ model, publish, feed: through, logger: quietLogger, intervalMs: 20 });
      onTestFinished(relay.close);
      return relay;
    },
    untilEmpty: () =>
      waitFor('an empty outbox', async () => ((await model.exists({ 'outbox.at': { $exists: true } })) === null ? true : undefined), LONG),
    /** Reads the partner's feed, proving that it is complete. */
    read: async () => {
      const page = await events.feed.listEvents({ partnerId: partner, limit: 500 }, events.backOffice);
      const reader = createReader();
      reader.take(page.events);
      expect(reader.isComplete(page.checkpoint)).toBe(true);
      return page.events;
    },
  };
};

describe('events that leave an outbox', { timeout: LONG }, () => {
  it('are numbered by their place among the changes of their document', async () => {
    const { change, relay, untilEmpty, read, partner, model } = await newCards();
    const [one, other] = [newId(), newId()];
    await change(one, 'card.issued', 'card.frozen');
    await change(other, 'card.issued');
    relay();
    await untilEmpty();
    await change(one, 'card.unfrozen');
    await untilEmpty();
    const found = await read();
    expect(found.map(({ type, subject, subjectSequence }) => [type, subject, subjectSequence]).sort()).toEqual(
      [
        ['card.frozen', `card/${one}`, 2n],
        ['card.issued', `card/${one}`, 1n],
        ['card.issued', `card/${other}`, 1n],
        ['card.unfrozen', `card/${one}`, 3n],
      ].sort(),
    );
    expect(partner).not.toBe('');
    expect((await model.findById(one).lean())?.relayed).toBe(3);
  });

  it('leave it only after they are in the feed, and reach it once, whatever is killed in between', async () => {
    const { change, relay, untilEmpty, read } = await newCards();
    let calls = 0;
    // By turns: killed before the feed has them, and after it has them but before they leave.
    const faulty: AppendToFeed = async (batch) => {
      calls += 1;
      if (calls % 3 === 1) throw new CodedError('SERVICE_UNAVAILABLE');
      const outcomes = await feed(batch);
      if (calls % 3 === 2) throw new CodedError('UPSTREAM_TIMEOUT');
      return outcomes;
    };
    const cards = Array.from({ length: 4 }, newId);
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) for (const card of cards) made.push(...(await change(card)));
    // Two relays of two processes.
    relay(faulty);
    relay(faulty);
    for (const card of cards) made.push(...(await change(card, 'card.unfrozen', 'card.frozen')));
    await untilEmpty();
    const found = await read();
    expect(found.map(({ id }) => id).sort()).toEqual(made.sort());
    for (const card of cards) {
      const own = found.filter(({ subject }) => subject === `card/${card}`);
      expect(own.map(({ subjectSequence }) => subjectSequence)).toEqual(own.map((_event, index) => BigInt(index + 1)));
    }
  });

  it('go on at the next free number when the database was restored to an earlier state', async () => {
    const { change, relay, untilEmpty, read, model } = await newCards();
    const card = newId();
    const before = await change(card, 'card.issued', 'card.frozen', 'card.unfrozen');
    relay();
    await untilEmpty();
    await model.updateOne({ _id: card }, { $set: { relayed: 1 } }, { strict: false });
    const after = await change(card, 'card.lost', 'card.replaced');
    await untilEmpty();
    const found = await read();
    expect(found.map(({ id }) => id)).toEqual([...before, ...after]);
    expect(found.map(({ subjectSequence }) => subjectSequence)).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect((await model.findById(card).lean())?.relayed).toBe(5);
  });

  it('delay only their own document when the feed rejects one of them', async () => {
    const { change, relay, read, model } = await newCards();
    const [bad, good] = [newId(), newId()];
    await change(bad, 'card.imagined', 'card.frozen');
    const made = await change(good);
    const running = relay();
    await waitFor('the other document', async () => ((await model.findById(good).lean())?.outbox.length === 0 ? true : undefined), LONG);
    expect((await read()).map(({ id }) => id)).toEqual(made);
    expect((await model.findById(bad).lean())?.outbox).toHaveLength(2);
    expect(running.oldest()).toBeInstanceOf(Date);
  });

  it('wait in their place for the release of the feed that knows their type, and delay no other document', async () => {
    const { change, relay, untilEmpty, read, model } = await newCards();
    const [later, known] = [newId(), newId()];
    const waiting = await change(later, 'card.issued', 'card.engraved', 'card.frozen');
    const others = await change(known);
    const running = relay();
    await waitFor('the other document', async () => ((await model.findById(known).lean())?.outbox.length === 0 ? true : undefined), LONG);
    expect((await model.findById(later).lean())?.outbox.map(({ type }) => type)).toContain('card.engraved');
    expect(running.oldest()).toBeInstanceOf(Date);
    // The later release, in all its processes.
    const types: Record<string, EventType> = EVENT_TYPES;
    types['card.engraved'] = { ...EVENT_TYPES['card.frozen'], number: 9002 };
    onTestFinished(() => void delete types['card.engraved']);
    await untilEmpty();
    const found = await read();
    expect(found.map(({ id }) => id).sort()).toEqual([...waiting, ...others].sort());
    expect(found.filter(({ subject }) => subject === `card/${later}`).map(({ type, subjectSequence }) => [type, subjectSequence])).toEqual([
      ['card.issued', 1n],
      ['card.engraved', 2n],
      ['card.frozen', 3n],
    ]);
  });

  it('are published while the feed is away, each of them, and kept until it is back', async () => {
    const { change, relay, untilEmpty, read } = await newCards();
    const cards = Array.from({ length: 70 }, newId);
    const made = (await Promise.all(cards.map((card) => change(card)))).flat();
    let away = true;
    const told: string[] = [];
    const running = relay(
      async (batch) => {
        if (away) throw new CodedError('SERVICE_UNAVAILABLE');
        return feed(batch);
      },
      async (_card, { id }) => {
        told.push(id);
      },
    );
    await waitFor('all events to be published', async () => (new Set(told).size === made.length ? true : undefined), LONG);
    // More than one batch waits for the feed; a later event is published all the same.
    const later = await change(newId());
    await waitFor('the later event', async () => (told.includes(later[0] ?? '') ? true : undefined), LONG);
    expect(told).toHaveLength(made.length + 1);
    expect(await read()).toEqual([]);
    expect(running.oldest()).toBeInstanceOf(Date);
    away = false;
    await untilEmpty();
    expect((await read()).map(({ id }) => id).sort()).toEqual([...made, ...later].sort());
  });
});
