import { quietLogger } from '@florin/rpc/testing';
import { mongo, Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { observeCommands, observedUri, testEngines } from '../testing/index.ts';
import { isDuplicateKey, LATEST, openStore, PROVEN, rawCollection, type Store, throughDeadlocks } from './index.ts';

type Thing = { _id: string; size: bigint };

let store: Store;
beforeAll(async () => {
  const { mongodbUri: uri, database } = testEngines();
  store = await openStore({ uri, database, poolSize: 4, logger: quietLogger });
});
afterAll(() => store.close());

describe('store', () => {
  it.each([
    '',
    '&readPreference=secondaryPreferred&readConcernLevel=local&w=1&journal=false',
    '&READPREFERENCE=nearest&readPreferenceTags=dc:ny&readPreferenceTags=&maxStalenessSeconds=90',
  ])('reads at the primary what a majority has, and writes to a majority, with the options %j of the URI', async (options) => {
    const { mongodbUri, database } = testEngines();
    const uri = `${observedUri(mongodbUri)}${options}`;
    const { connection, close } = await openStore({ uri, database, poolSize: 1, logger: quietLogger });
    const sent = observeCommands(connection);
    expect(connection.getClient().options.readPreference).toMatchObject({
      mode: 'primary',
      tags: undefined,
      maxStalenessSeconds: undefined,
    });
    const schema = new Schema<Thing>({ _id: String, size: BigInt }, { collection: 'observed', versionKey: false });
    const model = connection.model<Thing>('Observed', schema);
    const raw = rawCollection(model);
    await model.create({ _id: options, size: 1n });
    await model.findById('a').lean();
    await raw.aggregate([{ $match: {} }]).toArray();
    await raw.distinct('size');
    await raw.estimatedDocumentCount();
    await raw.updateOne({ _id: 'a' }, { $set: { size: 2n } });
    await raw.bulkWrite([{ deleteOne: { filter: { _id: options } } }]);
    const majority = { readConcern: { level: 'majority' } };
    const written = { writeConcern: { w: 'majority', j: true } };
    expect(sent()).toMatchObject([
      { insert: 'observed', ...written },
      { find: 'observed', ...majority },
      { aggregate: 'observed', ...majority },
      { distinct: 'observed', ...majority },
      { count: 'observed', ...majority },
      { update: 'observed', ...written },
      { delete: 'observed', ...written },
    ]);
    await raw.findOne({}, LATEST);
    await raw.findOne({}, PROVEN);
    expect(sent()).toMatchObject([{ readConcern: { level: 'local' } }, { readConcern: { level: 'linearizable' }, maxTimeMS: 4000 }]);
    await close();
  });

  it('creates the declared indexes', async () => {
    const schema = new Schema<Thing>({ _id: String, size: BigInt }, { collection: 'indexed', versionKey: false }).index({ size: 1 });
    const model = store.connection.model<Thing>('Indexed', schema);
    await store.ready();
    expect((await model.collection.indexes()).map(({ key }) => key)).toContainEqual({ size: 1 });
  });

  it('creates the indexes of a model with one command, once, and those of models that are defined later', async () => {
    const schemaOf = (collection: string) =>
      new Schema<Thing>({ _id: String, size: BigInt }, { collection, versionKey: false })
        .index({ size: 1 })
        .index({ size: -1, _id: 1 }, { sparse: true });
    const early = store.connection.model<Thing>('Early', schemaOf('early'));
    const created = vi.spyOn(early.collection, 'createIndexes');
    await store.ready();
    const late = store.connection.model<Thing>('Late', schemaOf('late'));
    await store.ready();
    expect(created).toHaveBeenCalledTimes(1);
    for (const { collection } of [early, late]) {
      expect(await collection.indexes()).toMatchObject([
        { key: { _id: 1 } },
        { key: { size: 1 } },
        { key: { size: -1, _id: 1 }, sparse: true },
      ]);
    }
  });

  it('creates no index where all are there, and goes on without those that a user may not create, unless they are unique', async () => {
    const schema = new Schema<Thing>({ _id: String, size: BigInt }, { collection: 'others', versionKey: false });
    const declared = schema.clone().index({ size: 1 }, { sparse: true });
    const { mongodbUri: uri } = testEngines();
    const database = store.connection.name;
    const unauthorized = new mongo.MongoServerError({ message: 'not authorized', code: 13 });
    /** Another process, whose user may create no index. */
    const readyWith = async (wanted: typeof schema) => {
      const other = await openStore({ uri, database, poolSize: 1, logger: quietLogger });
      const created = vi.spyOn(other.connection.model('Others', wanted).collection, 'createIndexes').mockRejectedValue(unauthorized);
      await other.ready().finally(other.close);
      return created.mock.calls.length;
    };
    store.connection.model('Others', declared);
    await store.ready();
    expect(await readyWith(declared)).toBe(0);
    expect(await readyWith(declared.clone().index({ size: -1 }))).toBe(1);
    await expect(readyWith(declared.clone().index({ size: -1 }, { unique: true }))).rejects.toThrow('not authorized');
  });

  it('responds to a ping, and rejects it once it is closed', async () => {
    const { mongodbUri: uri, database } = testEngines();
    const closed = await openStore({ uri, database, poolSize: 1, logger: quietLogger });
    await expect(closed.ping()).resolves.toMatchObject({ ok: 1 });
    await closed.close();
    await expect(async () => closed.ping()).rejects.toThrow();
  });

  it('gives typed access to the driver, which reports a duplicate key', async () => {
    const schema = new Schema<Thing>({ _id: String }, { collection: 'raw', versionKey: false, strict: false });
    const collection = rawCollection(store.connection.model<Thing>('Raw', schema));
    await collection.insertOne({ _id: 'a', size: 1n });
    expect(await collection.findOne({ _id: 'a' })).toMatchObject({ _id: 'a' });
    const error = await collection.insertOne({ _id: 'a', size: 2n }).catch((thrown: unknown) => thrown);
    expect(isDuplicateKey(error)).toBe(true);
    expect(isDuplicateKey(new Error('x'))).toBe(false);
  });

  it('lets one of two writes of a unique key win, also when the engine ends a deadlock between them', async () => {
    const schema = new Schema<Thing>({ _id: String, size: BigInt }, { collection: 'raced', versionKey: false });
    schema.index({ size: 1 }, { unique: true, partialFilterExpression: { size: { $exists: true } } });
    const model = store.connection.model<Thing>('Raced', schema);
    await store.ready();
    for (let size = 0n; size < 30n; size += 1n) {
      const write = (racer: number) => throughDeadlocks(() => model.create({ _id: `${size}/${racer}`, size }));
      const results = await Promise.allSettled([write(0), write(1)]);
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      expect(failures.map(isDuplicateKey)).toEqual([true]);
    }
  });

  it('makes no write again that failed for another reason', async () => {
    const errors = [new mongo.MongoServerError({ message: 'deadlock detected', code: 16_908_292 }), new Error('x'), new Error('y')];
    await expect(throughDeadlocks(() => Promise.reject(errors.shift()))).rejects.toThrow('x');
    expect(errors).toHaveLength(1);
  });
});
