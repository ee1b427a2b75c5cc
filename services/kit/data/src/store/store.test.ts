import { quietLogger } from '@florin/rpc/testing';
import { Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testEngines } from '../testing/index.ts';
import { isDuplicateKey, openStore, rawCollection, type Store } from './index.ts';

type Thing = { _id: string; size: bigint };

let store: Store;
beforeAll(async () => {
  const { mongodbUri: uri, database } = testEngines();
  store = await openStore({ uri, database, poolSize: 4, logger: quietLogger });
});
afterAll(() => store.close());

describe('store', () => {
  it('creates the declared indexes', async () => {
    const schema = new Schema<Thing>({ _id: String, size: BigInt }, { collection: 'indexed', versionKey: false }).index({ size: 1 });
    const model = store.connection.model<Thing>('Indexed', schema);
    await store.ready();
    expect((await model.collection.indexes()).map(({ key }) => key)).toContainEqual({ size: 1 });
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
});
