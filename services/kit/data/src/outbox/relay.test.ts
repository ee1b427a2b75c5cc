import { randomUUID } from 'node:crypto';
import { CodedError } from '@florin/rpc/errors';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { type Model, Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis } from '../redis/index.ts';
import { openStore, type Store } from '../store/index.ts';
import { testEngines } from '../testing/index.ts';
import {
  type AppendToFeed,
  createOutboxRelay,
  createStreamPublisher,
  type OutboxEvent,
  outboxField,
  outboxIndex,
  type Publish,
  streamOf,
} from './index.ts';

type Thing = { _id: string; outbox: OutboxEvent[] };

const engines = testEngines();
let store: Store;
const models = new Map<string, Model<Thing>>();

beforeAll(async () => {
  store = await openStore({ uri: engines.mongodbUri, database: engines.database, poolSize: 16, logger: quietLogger });
});
afterAll(() => store.close());

/** Creates a collection for one test: a relay publishes every waiting event of its collection. */
const newModel = async (): Promise<Model<Thing>> => {
  const name = `things_${models.size}`;
  const schema = new Schema<Thing>({ _id: String, outbox: outboxField }, { collection: name, versionKey: false });
  schema.index(outboxIndex);
  const model = store.connection.model<Thing>(name, schema);
  models.set(name, model);
  await model.createIndexes();
  return model;
};

const event = (type: string): OutboxEvent => ({ id: randomUUID(), type, at: new Date(), payload: { of: type } });
const push = (model: Model<Thing>, _id: string, ...events: OutboxEvent[]) =>
  model.updateOne({ _id }, { $push: { outbox: { $each: events } } }, { upsert: true });
const waiting = (model: Model<Thing>) => model.countDocuments({ 'outbox.at': { $exists: true } });
const untilEmpty = (model: Model<Thing>) => waitFor('an empty outbox', async () => ((await waiting(model)) === 0 ? true : undefined));

const recorder = () => {
  const seen: { aggregate: string; type: string; id: string }[] = [];
  const publish: Publish = async (aggregate, { type, id }) => {
    seen.push({ aggregate, type, id });
  };
  return { seen, publish, typesOf: (aggregate: string) => seen.filter((one) => one.aggregate === aggregate).map(({ type }) => type) };
};

describe('outbox relay', () => {
  it('publishes waiting and later events, in order within each document', async () => {
    const model = await newModel();
    await push(model, 'a', event('1'), event('2'), event('3'));
    await push(model, 'b', event('1'));
    const { seen, publish, typesOf } = recorder();
    const relay = createOutboxRelay({ model, publish, logger: quietLogger, intervalMs: 60_000 });
    await untilEmpty(model);
    await push(model, 'a', event('4'));
    relay.kick();
    await untilEmpty(model);
    await relay.close();
    expect(typesOf('a')).toEqual(['1', '2', '3', '4']);
    expect(seen).toHaveLength(5);
  });

  it('publishes more documents than fit in one batch', async () => {
    const model = await newModel();
    await model.insertMany(Array.from({ length: 130 }, (_, index) => ({ _id: `${index}`, outbox: [event('x')] })));
    const { seen, publish } = recorder();
    const relay = createOutboxRelay({ model, publish, logger: quietLogger, intervalMs: 60_000 });
    await untilEmpty(model);
    await relay.close();
    expect(new Set(seen.map(({ aggregate }) => aggregate)).size).toBe(130);
  });

  it('keeps the order and loses nothing while publishing fails intermittently', async () => {
    const model = await newModel();
    const events = Array.from({ length: 10 }, (_, index) => event(`${index}`));
    await push(model, 'a', ...events);
    const { publish, typesOf } = recorder();
    let calls = 0;
    const flaky: Publish = async (aggregate, one) => {
      calls += 1;
      if (calls % 3 !== 0) throw new Error('stream is unavailable');
      await publish(aggregate, one);
    };
    const relay = createOutboxRelay({ model, publish: flaky, logger: quietLogger, intervalMs: 10 });
    await untilEmpty(model);
    await relay.close();
    expect(typesOf('a')).toEqual(events.map(({ type }) => type));
  });

  it('does not delay other documents for an event that cannot be published', async () => {
    const model = await newModel();
    await push(model, 'stuck', event('bad'), event('after'));
    await push(model, 'fine', event('good'));
    const { seen, publish, typesOf } = recorder();
    const choosy: Publish = async (aggregate, one) => {
      if (one.type === 'bad') throw new Error('too large');
      await publish(aggregate, one);
    };
    const relay = createOutboxRelay({ model, publish: choosy, logger: quietLogger, intervalMs: 10 });
    await waitFor('the other event', async () => (seen.length > 0 ? true : undefined));
    await relay.close();
    expect(typesOf('fine')).toEqual(['good']);
    expect(typesOf('stuck')).toEqual([]);
    expect(await waiting(model)).toBe(1);
  });

  it('publishes an event again when a process was killed before removing it', async () => {
    const model = await newModel();
    const [first, second] = [event('1'), event('2')];
    await push(model, 'a', first, second);
    const killed = recorder();
    // The process is killed after its first publish.
    const half: Publish = async (aggregate, one) => {
      await killed.publish(aggregate, one);
      throw new Error('killed');
    };
    const dying = createOutboxRelay({ model, publish: half, logger: quietLogger, intervalMs: 60_000 });
    await waitFor('the first publish', async () => (killed.seen.length > 0 ? true : undefined));
    await dying.close();
    const next = recorder();
    const relay = createOutboxRelay({ model, publish: next.publish, logger: quietLogger, intervalMs: 60_000 });
    await untilEmpty(model);
    await relay.close();
    expect(killed.seen.map(({ id }) => id)).toEqual([first.id]);
    expect(next.seen.map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it('loses nothing with two relays and concurrent writers', async () => {
    const model = await newModel();
    const { seen, publish } = recorder();
    const relays = [1, 2].map(() => createOutboxRelay({ model, publish, logger: quietLogger, intervalMs: 10 }));
    const sent = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const one = event('x');
        await push(model, `${index % 7}`, one);
        return one.id;
      }),
    );
    await untilEmpty(model);
    await Promise.all(relays.map((relay) => relay.close()));
    expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(sent));
  });

  it('publishes nothing once it is closed', async () => {
    const model = await newModel();
    const { seen, publish } = recorder();
    const relay = createOutboxRelay({ model, publish, logger: quietLogger, intervalMs: 10 });
    await relay.close();
    await push(model, 'a', event('x'));
    relay.kick();
    await relay.close();
    expect(seen).toEqual([]);
    expect(await waiting(model)).toBe(1);
  });
});

describe('outbox relay with a feed that rejects events', () => {
  /** A feed that does not know the type `later` until it is told to. */
  const pickyFeed = () => {
    const kept: string[] = [];
    let isUpgraded = false;
    const feed: AppendToFeed = async (numbered) => {
      if (!isUpgraded && numbered.some(({ event: { type } }) => type === 'later')) throw new CodedError('EVENT_TYPE_UNKNOWN');
      kept.push(...numbered.map(({ event: { id } }) => id));
      return numbered.map(() => ({ isKept: true }));
    };
    const upgrade = (): void => {
      isUpgraded = true;
    };
    return { feed, kept, upgrade };
  };
  const REJECTED = 120;

  it('publishes and keeps the events of all other aggregates, however many wait', async () => {
    const model = await newModel();
    const old = new Date(Date.now() - 60 * 60_000);
    await model.insertMany(Array.from({ length: REJECTED }, (_, n) => ({ _id: `later-${n}`, outbox: [{ ...event('later'), at: old }] })));
    const fine = [event('fine'), event('fine')];
    await push(model, 'before', fine[0] as OutboxEvent);
    const { seen, publish, typesOf } = recorder();
    const { feed, kept, upgrade } = pickyFeed();
    const relay = createOutboxRelay({ model, publish, feed, logger: quietLogger, intervalMs: 10 });
    await waitFor('the other event in the feed', async () => (kept.length === 1 ? true : undefined));
    await push(model, 'after', fine[1] as OutboxEvent);
    // Events of an aggregate that waits for the feed are published meanwhile.
    await push(model, 'later-0', event('fine'));
    await waitFor('the later event in the feed', async () => (kept.length === 2 ? true : undefined));
    await waitFor('all events', async () => (seen.length === REJECTED + 3 ? true : undefined));
    expect(kept).toEqual(fine.map(({ id }) => id));
    expect(typesOf('later-0')).toEqual(['later', 'fine']);
    expect(relay.oldest()).toEqual(old);
    upgrade();
    await untilEmpty(model);
    await relay.close();
    expect(kept).toHaveLength(REJECTED + 3);
    expect(seen).toHaveLength(REJECTED + 3);
  });

  it('offers a rejected aggregate less and less often', async () => {
    const model = await newModel();
    await push(model, 'rejected', event('later'));
    const offeredAt: number[] = [];
    const feed: AppendToFeed = async () => {
      offeredAt.push(performance.now());
      throw new CodedError('EVENT_TYPE_UNKNOWN');
    };
    const relay = createOutboxRelay({ model, publish: recorder().publish, feed, logger: quietLogger, intervalMs: 10 });
    // Each time with its batch, and then alone.
    await waitFor('three offers', async () => (offeredAt.length === 6 ? true : undefined));
    await relay.close();
    const [, first = 0, second = 0, , third = 0] = offeredAt;
    expect(second - first).toBeGreaterThan(999);
    expect(third - second).toBeGreaterThan(1999);
  });
});

describe('stream publisher', () => {
  it('appends events to the service’s stream', async () => {
    const redis = await openRedis(engines.redisUrl, quietLogger);
    const service = `test-${randomUUID()}`;
    const one = event('thing.made');
    await createStreamPublisher(redis, service)('aggregate', one);
    const entries = await redis.xRange(streamOf(service), '-', '+');
    expect(entries?.map(({ message }) => ({ ...message }))).toEqual([
      { id: one.id, type: 'thing.made', aggregateId: 'aggregate', at: one.at.toISOString(), payload: '{"of":"thing.made"}' },
    ]);
    await redis.del(streamOf(service));
    redis.destroy();
  });
});
