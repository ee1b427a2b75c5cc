import { quietLogger } from '@florin/rpc/testing';
import { Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testEngines } from '../testing/index.ts';
import { createBatchedInserts, createBatchedReads, openStore, rawCollection, type Store } from './index.ts';

type Thing = { _id: string; name: string; notes?: string };

let store: Store;
beforeAll(async () => {
  const { mongodbUri: uri, database } = testEngines();
  store = await openStore({ uri, database, poolSize: 4, logger: quietLogger });
});
afterAll(() => store.close());

const openThings = (name: string) => {
  const schema = new Schema<Thing>({ _id: String }, { collection: name, versionKey: false, strict: false });
  return rawCollection(store.connection.model<Thing>(name, schema));
};

describe('batched reads', () => {
  it('return the document of each id, undefined for one without a document, in few queries', async () => {
    const things = openThings('read_together');
    await things.insertMany(Array.from({ length: 50 }, (_, index) => ({ _id: `t${index}`, name: `thing ${index}` })));
    const find = vi.spyOn(things, 'find');
    const read = createBatchedReads(things);
    const ids = [...Array.from({ length: 50 }, (_, index) => `t${index}`), 't7', 'none'];
    const found = await Promise.all(ids.map(read));
    expect(found.map((thing) => thing?.name)).toEqual([
      ...Array.from({ length: 50 }, (_, index) => `thing ${index}`),
      'thing 7',
      undefined,
    ]);
    expect(find.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('return the selected fields only', async () => {
    const things = openThings('read_projected');
    await things.insertOne({ _id: 'a', name: 'one', notes: 'long' });
    expect(await createBatchedReads(things, { projection: { notes: 0 } })('a')).toEqual({ _id: 'a', name: 'one' });
  });

  it('see every write that was acknowledged before they were requested', async () => {
    const things = openThings('read_fresh');
    const read = createBatchedReads(things);
    await things.insertOne({ _id: 'a', name: '0' });
    for (let version = 1; version <= 20; version += 1) {
      // A query is under way while the document changes; a later read must not share it.
      const before = read('a');
      await things.updateOne({ _id: 'a' }, { $set: { name: String(version) } });
      expect((await read('a'))?.name).toBe(String(version));
      await before;
    }
  });

  it('reject with the error of their query, and work again afterwards', async () => {
    const things = openThings('read_failing');
    const read = createBatchedReads(things);
    const find = vi.spyOn(things, 'find').mockImplementationOnce(() => {
      throw new Error('the engine is away');
    });
    const settled = await Promise.allSettled([read('a'), read('b')]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    find.mockRestore();
    expect(await read('a')).toBeUndefined();
  });
});

describe('batched inserts', () => {
  it('tell which documents were inserted, and leave the others as they are', async () => {
    const things = openThings('inserted');
    await things.insertOne({ _id: 'taken', name: 'first' });
    const insert = createBatchedInserts(things);
    const inserted = await Promise.all(['a', 'taken', 'b', 'a'].map((_id, index) => insert({ _id, name: `call ${index}` })));
    expect(inserted).toEqual([true, false, true, false]);
    expect(await things.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', name: 'call 0' },
      { _id: 'b', name: 'call 2' },
      { _id: 'taken', name: 'first' },
    ]);
  });
});
