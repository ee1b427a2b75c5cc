import { randomUUID } from 'node:crypto';
import { quietLogger } from '@florin/rpc/testing';
import { type mongo, Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testEngines } from '../testing/index.ts';
import {
  createBatchedInserts,
  createBatchedReads,
  createBatchedReplaces,
  createBatchedUpdates,
  openStore,
  rawCollection,
  type Store,
} from './index.ts';

type Thing = { _id: string; name: string; notes?: string; revision?: number };

let store: Store;
let uri: string;
let database: string;
beforeAll(async () => {
  ({ mongodbUri: uri, database } = testEngines());
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

  it('of the same documents in opposite orders wait for each other, and not in a circle', async () => {
    const other = await openStore({ uri, database, poolSize: 4, logger: quietLogger });
    const schema = new Schema<Thing>({ _id: String }, { collection: 'insert_opposite', versionKey: false, strict: false });
    const inserts = [store, other].map(({ connection }) =>
      createBatchedInserts(rawCollection(connection.model<Thing>('Opposite', schema))),
    );
    // Of so many rounds some are likely to make a circle, which lasts until the sockets time out.
    for (let round = 0; round < 24; round += 1) {
      const ids = Array.from({ length: 200 }, () => randomUUID());
      const results = await Promise.all(
        inserts.map(async (insert, index) => {
          const ordered = index === 0 ? ids : ids.toReversed();
          const inserted = await Promise.all(ordered.map((_id) => insert({ _id, name: 'thing '.repeat(250) })));
          return ordered.filter((_id, place) => inserted[place]);
        }),
      );
      expect(results.flat().toSorted()).toEqual(ids.toSorted());
    }
    await other.close();
  });
});

describe('batched updates', () => {
  /** Moves a thing from one name to another, signed by its mover. */
  const move = (id: string, from: string, to: string) => ({
    id,
    where: { name: from },
    update: { $set: { name: to } },
    isMadeIn: ({ name }: Thing) => name === to,
  });

  it('tell which changes were made when all, none or some conditions hold', async () => {
    const things = openThings('updated');
    await things.insertMany(['a', 'b', 'c', 'd'].map((_id) => ({ _id, name: 'old' })));
    const update = createBatchedUpdates(things);
    const all = (from: string, to: string) => Promise.all(['d', 'b', 'a', 'c'].map((id) => update(move(id, from, `${to} ${id}`))));
    expect(await all('other', 'new')).toEqual([false, false, false, false]);
    expect(await all('old', 'new')).toEqual([true, true, true, true]);
    const some = ['a', 'none', 'b', 'c'].map((id) => update(move(id, id === 'b' ? 'old' : `new ${id}`, `newer ${id}`)));
    expect(await Promise.all(some)).toEqual([true, false, false, true]);
    const names = (await things.find().sort({ _id: 1 }).toArray()).map(({ name }) => name);
    expect(names).toEqual(['newer a', 'new b', 'newer c', 'new d']);
  });

  it('share a write, and let one of several changes of a document win', async () => {
    const things = openThings('contended_updates');
    const ids = Array.from({ length: 20 }, (_, index) => `t${index}`);
    await things.insertMany(ids.map((_id) => ({ _id, name: 'old' })));
    const [one, two] = [createBatchedUpdates(things), createBatchedUpdates(things)];
    const bulkWrite = vi.spyOn(things, 'bulkWrite');
    const winners = await Promise.all(
      ids.map(async (id) => {
        const moves = [one, two, one, two].map((update, index) => update(move(id, 'old', `mover ${index}`)));
        return (await Promise.all(moves)).flatMap((made, index) => (made ? [`mover ${index}`] : []));
      }),
    );
    expect(bulkWrite.mock.calls.length).toBeLessThanOrEqual(8);
    bulkWrite.mockRestore();
    const stored = new Map((await things.find().toArray()).map(({ _id, name }) => [_id, name]));
    expect(winners).toEqual(ids.map((id) => [stored.get(id)]));
  });

  it('make a change again that is missing although its condition held', async () => {
    const things = openThings('displaced');
    await things.insertMany([
      { _id: 'a', name: 'old' },
      { _id: 'b', name: 'done' },
    ]);
    const update = createBatchedUpdates(things);
    let writes = 0;
    const displaced = { ...move('a', 'old', 'new'), isMadeIn: () => false };
    const original = things.bulkWrite.bind(things);
    const bulkWrite = vi.spyOn(things, 'bulkWrite').mockImplementation(async (...given) => {
      const result = await original(...given);
      writes += 1;
      // A later writer takes the change back before it is looked for.
      await things.updateOne({ _id: 'a' }, { $set: { name: 'old' } });
      return result;
    });
    const calls = [update(move('b', 'x', 'y')), update(displaced)];
    expect(await Promise.all(calls)).toEqual([false, true]);
    bulkWrite.mockRestore();
    expect(writes).toBe(1);
    expect((await things.findOne({ _id: 'a' }))?.name).toBe('new');
  });

  it('reject with the error of their write', async () => {
    const things = openThings('failing');
    const update = createBatchedUpdates(things);
    const bulkWrite = vi.spyOn(things, 'bulkWrite').mockRejectedValueOnce(new Error('the engine is away'));
    const settled = await Promise.allSettled([update(move('a', 'old', 'new')), update(move('b', 'old', 'new'))]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    bulkWrite.mockRestore();
    expect(await update(move('a', 'old', 'new'))).toBe(false);
  });
});

describe('batched replacements', () => {
  const openRevised = (name: string) => openThings(name) as unknown as mongo.Collection<{ _id: string; name: string; revision: number }>;

  it('write the documents whose revision is the next one, and tell which were stale', async () => {
    const things = openRevised('replaced');
    await things.insertMany([
      { _id: 'current', name: 'before', revision: 3 },
      { _id: 'stale', name: 'before', revision: 4 },
    ]);
    const replace = createBatchedReplaces(things);
    const bulkWrite = vi.spyOn(things, 'bulkWrite');
    // The first call is under way while the others gather.
    const results = await Promise.all([
      replace({ _id: 'new', name: 'after', revision: 1 }),
      replace({ _id: 'current', name: 'after', revision: 4 }),
      replace({ _id: 'stale', name: 'after', revision: 4 }),
      replace({ _id: 'other', name: 'after', revision: 1 }),
    ]);
    expect(results).toEqual([true, true, false, true]);
    expect(bulkWrite.mock.calls.length).toBeLessThanOrEqual(2);
    expect(await things.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'current', name: 'after', revision: 4 },
      { _id: 'new', name: 'after', revision: 1 },
      { _id: 'other', name: 'after', revision: 1 },
      { _id: 'stale', name: 'before', revision: 4 },
    ]);
  });

  it('let one of many writers of a revision win', async () => {
    const things = openRevised('contended');
    const writers = Array.from({ length: 8 }, () => createBatchedReplaces(things));
    for (let revision = 1; revision <= 10; revision += 1) {
      const results = await Promise.all(
        writers.flatMap((replace, index) => ['a', 'b'].map((_id) => replace({ _id, name: `writer ${index}`, revision }))),
      );
      const winners = (offset: number) =>
        results.flatMap((won, index) => (won && index % 2 === offset ? [`writer ${Math.floor(index / 2)}`] : []));
      const stored = await things.find().sort({ _id: 1 }).toArray();
      expect(stored.map(({ name, revision: at }) => [[name], at])).toEqual([
        [winners(0), revision],
        [winners(1), revision],
      ]);
    }
  });
});
