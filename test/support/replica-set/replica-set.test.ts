import { LATEST, openStore, PROVEN, type Store } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { toCodedError } from '@florin/rpc/errors';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { mongo } from 'mongoose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Interruption, ReplicaSet } from './replica-set.ts';

type Thing = { _id: string; size?: number };

let set: ReplicaSet;
let store: Store;
let database: string;
beforeEach(async () => {
  const engines = testEngines();
  ({ database } = engines);
  set = await ReplicaSet.start({ mongodbUri: engines.mongodbUri });
  store = await openStore({ uri: set.uri(), database, poolSize: 8, logger: quietLogger });
});
afterEach(async () => {
  set.release();
  await store.close();
  await set.close();
});

const things = () => store.connection.collection<Thing>('things');

const ids = (found: Promise<{ _id: string }[]>) => found.then((documents) => documents.map(({ _id }) => _id));
const visible = () => ids(things().find().toArray());
const latest = () => ids(things().find({}, LATEST).toArray());
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => toCodedError(error).code,
  );
/** Resolves when a write waits for a majority. */
const undecided = (count = 1) => waitFor('a write without a majority', async () => (set.undecided() >= count ? true : undefined));

describe('a replica set, as the driver sees it', () => {
  it('acknowledges a write when a majority has it, and shows it to majority reads then', async () => {
    await things().insertOne({ _id: 'a' });
    expect(await visible()).toEqual(['a']);
    set.hold();
    const writing = things().insertOne({ _id: 'b' });
    await undecided();
    expect(await visible()).toEqual(['a']);
    expect((await latest()).sort()).toEqual(['a', 'b']);
    expect(await Promise.race([writing, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))])).toBe('waits');
    set.release();
    await writing;
    expect((await visible()).sort()).toEqual(['a', 'b']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a duplicate key', () => things().insertOne({ _id: 'a' })],
    ['an update that matches nothing', () => things().updateOne({ _id: 'a', size: 7 }, { $set: { size: 8 } })],
    ['an upsert of what is there', () => things().updateOne({ _id: 'a' }, { $setOnInsert: { size: 1 } }, { upsert: true })],
    ['duplicate keys of several', () => things().insertMany([{ _id: 'a' }, { _id: 'a' }], { ordered: false })],
  ])('reports %s only when a majority has what the write has met', async (_name, write) => {
    set.hold();
    const first = things().insertOne({ _id: 'a' });
    await undecided();
    let isOver = false;
    const second = write()
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    await undecided(2);
    expect(isOver).toBe(false);
    set.release();
    await second;
    expect(await visible()).toEqual(['a']);
    await first;
  });

  it('proves what a linearizable read returns, or fails it in time', async () => {
    set.hold();
    const writing = things().insertOne({ _id: 'a' });
    await undecided();
    const code = await outcome(
      things()
        .find({}, { ...PROVEN, maxTimeMS: 100 })
        .toArray(),
    );
    expect(code).toBe('SERVICE_UNAVAILABLE');
    const proving = ids(things().find({}, PROVEN).toArray());
    set.release();
    expect(await proving).toEqual(['a']);
    await writing;
  });

  it.each<[string, Interruption, () => Promise<unknown>]>([
    ['a write by its connection', 'connection', () => things().insertOne({ _id: 'lost' })],
    ['a write by an error', 'error', () => things().insertOne({ _id: 'lost' })],
    ['a write by its write concern', 'write-concern-error', () => things().updateOne({ _id: 'a' }, { $set: { size: 2 } })],
    ['a bulk write by its connection', 'connection', () => things().insertMany([{ _id: 'lost' }, { _id: 'b' }], { ordered: false })],
    ['a bulk write by an error', 'error', () => things().bulkWrite([{ deleteOne: { filter: { _id: 'a' } } }])],
    ['a bulk write by its write concern', 'write-concern-error', () => things().insertMany([{ _id: 'lost' }])],
  ])('fails %s at a step-down, loses it, and serves at the new primary', async (_name, interruption, write) => {
    await things().insertOne({ _id: 'a', size: 1 });
    set.hold();
    const failing = outcome(write());
    await undecided();
    await set.failover({ interruption });
    expect(await failing).toBe('SERVICE_UNAVAILABLE');
    set.release();
    await waitFor('the new primary', async () => ((await outcome(things().insertOne({ _id: 'next' }))) === 'done' ? true : undefined));
    expect(await things().find().sort({ _id: 1 }).toArray()).toEqual([{ _id: 'a', size: 1 }, { _id: 'next' }]);
  });

  it('keeps of what no majority had the first writes that the next primary has', async () => {
    set.hold();
    const writing: Promise<string>[] = [];
    for (const _id of ['a', 'b', 'c', 'd']) {
      writing.push(outcome(things().insertOne({ _id })));
      await undecided(writing.length);
    }
    await set.failover({ kept: 0.5 });
    expect(new Set(await Promise.all(writing))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
    set.release();
    expect(await waitFor('the new primary', async () => ((await visible().catch(() => [])).length > 1 ? visible() : undefined))).toEqual([
      'a',
      'b',
    ]);
  });

  it('has acknowledged writes that a new primary shows to majority reads only later', async () => {
    await things().insertMany([{ _id: 'a' }, { _id: 'b' }]);
    set.hold();
    const writing = things().insertOne({ _id: 'c' });
    await undecided();
    await set.failover({ kept: 1, isAcknowledged: true, electionMs: 0 });
    await writing;
    const found = await waitFor('the new primary', () => latest().catch(() => undefined));
    expect(found.sort()).toEqual(['a', 'b', 'c']);
    expect((await visible()).sort()).toEqual(['a', 'b']);
    // Not even if that one fails before it has told the others.
    await set.failover({ electionMs: 0 });
    expect((await waitFor('the next one', () => latest().catch(() => undefined))).sort()).toEqual(['a', 'b', 'c']);
    set.release();
    await waitFor('the last write', async () => ((await visible()).length === 3 ? true : undefined));
  });

  it('serves what a member behind has to clients that prefer it, and the services are none of them', async () => {
    await things().insertOne({ _id: 'a' });
    const client = new mongo.MongoClient(set.uri('&readPreference=secondary'), { retryReads: false });
    expect(await client.db(database).collection('things').find().toArray()).toEqual([]);
    await client.close();
    const preferring = await openStore({ uri: set.uri('&readPreference=secondary'), database, poolSize: 1, logger: quietLogger });
    expect(await preferring.connection.collection('things').countDocuments()).toBe(1);
    await preferring.close();
  });

  it('hands results out in batches, of the types that were stored', async () => {
    const stored = Array.from({ length: 250 }, (_, n) => ({
      _id: `${String(n).padStart(3, '0')}`,
      long: mongo.Long.fromString('9007199254740993'),
      at: new Date(n),
      bytes: Buffer.from([n]),
    }));
    const collection = store.connection.collection<{ _id: string }>('typed');
    await collection.insertMany(stored);
    const found = await collection.find().sort({ _id: 1 }).batchSize(40).toArray();
    expect(found).toEqual(await collection.find().sort({ _id: 1 }).toArray());
    expect(found.map(({ _id }) => _id)).toEqual(stored.map(({ _id }) => _id));
    expect(found[7]).toMatchObject({ at: new Date(7) });
    expect(await collection.find({ long: mongo.Long.fromString('9007199254740993') }).toArray()).toHaveLength(250);
  });

  it('keeps indexes and documents over several failovers', async () => {
    const collection = store.connection.collection<{ _id: string; key: string }>('unique');
    await collection.createIndex({ key: 1 }, { unique: true });
    await collection.insertOne({ _id: 'a', key: 'k' });
    for (let time = 0; time < 3; time += 1) await set.failover();
    const again = await waitFor('the new primary', async () => {
      const code = await collection.insertOne({ _id: 'b', key: 'k' }).then(
        () => 0,
        (error: mongo.MongoServerError) => error.code,
      );
      return code === 11_000 || code === 0 ? code : undefined;
    });
    expect(again).toBe(11_000);
    expect(await collection.countDocuments()).toBe(1);
  });
});
