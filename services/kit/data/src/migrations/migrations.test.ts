import { UnavailableDependencyError } from '@florin/rpc/service';
import { quietLogger } from '@florin/rpc/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DATABASE_RECORDS, openStore, type Store } from '../store/index.ts';
import { testEngines } from '../testing/index.ts';
import { migrate } from './migrate.ts';
import { FIRST_SCHEMA, requireSchema, type Schema } from './schema.ts';

const EXPAND: Schema = {
  version: 2,
  reads: 1,
  migrations: [
    {
      version: 2,
      name: 'names in upper case',
      kind: 'expand',
      collection: 'things',
      due: { upper: { $exists: false } },
      update: [{ $set: { upper: { $toUpper: '$name' } } }],
    },
  ],
};
const CONTRACT: Schema = {
  version: 3,
  reads: 2,
  migrations: [
    ...EXPAND.migrations,
    {
      version: 3,
      name: 'names without the former field',
      kind: 'contract',
      collection: 'things',
      due: { name: { $exists: true } },
      update: { $unset: { name: '' } },
    },
  ],
};

let store: Store;
beforeEach(async () => {
  const { mongodbUri, database } = testEngines();
  store = await openStore({ uri: mongodbUri, database, poolSize: 8, logger: quietLogger });
});
afterEach(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const things = () => store.connection.collection<{ _id: number; name?: string; upper?: string }>('things');
const fill = async (count: number, from = 0): Promise<void> => {
  await things().insertMany(Array.from({ length: count }, (_, index) => ({ _id: from + index, name: `thing ${from + index}` })));
};
const due = () => things().countDocuments({ upper: { $exists: false } });

const run = async (schema: Schema, more: Partial<Parameters<typeof migrate>[0]> = {}) => {
  const lines: string[] = [];
  const version = await migrate({ connection: store.connection, schema, report: (line) => void lines.push(line), ...more });
  return { version, lines };
};

describe('migrations', () => {
  it('change every document once, and can be repeated', async () => {
    await fill(1203);
    expect(await run(EXPAND)).toEqual({ version: 2, lines: ['schema 2: names in upper case, 1203 documents of things changed'] });
    expect(await things().findOne({ _id: 1202 })).toEqual({ _id: 1202, name: 'thing 1202', upper: 'THING 1202' });
    expect(await run(EXPAND)).toEqual({ version: 2, lines: [] });
  });

  it('change nothing in a dry run', async () => {
    await fill(3);
    const { version, lines } = await run(CONTRACT, { dryRun: true, contract: true });
    expect([version, lines]).toEqual([
      1,
      [expect.stringMatching(/^would change 3 documents of things: /), expect.stringMatching(/^would change 3 /)],
    ]);
    expect(await due()).toBe(3);
    expect(await store.connection.collection(DATABASE_RECORDS).countDocuments({})).toBe(0);
  });

  it('drop indexes that are there, and can be repeated', async () => {
    const dropping: Schema = {
      ...{ version: 2, reads: 1 },
      migrations: [{ version: 2, name: 'no names', kind: 'expand', collection: 'things', dropIndexes: ['name_1', 'never_1'] }],
    };
    await fill(1);
    await things().createIndex({ name: 1 });
    expect((await run(dropping, { dryRun: true })).lines).toEqual(['would change 1 indexes of things: schema 2, expand, no names']);
    expect((await run(dropping)).lines).toEqual(['schema 2: no names, 1 indexes of things changed']);
    expect((await things().indexes()).map(({ name }) => name)).toEqual(['_id_']);
    expect((await run(dropping)).lines).toEqual([]);
  });

  it('find what instances of the former release write meanwhile', async () => {
    await fill(600);
    let more = 0;
    await run(EXPAND, {
      afterBatch: async () => {
        more += 1;
        // Before the place that the pass has reached.
        if (more < 3) await fill(10, -10 * more);
      },
    });
    expect(await due()).toBe(0);
    expect(await things().countDocuments({})).toBe(620);
  });

  it('have one winner among several runners', async () => {
    await fill(700);
    const runs = await Promise.all(Array.from({ length: 4 }, () => run(EXPAND)));
    expect(runs.map(({ version }) => version)).toEqual([2, 2, 2, 2]);
    expect(runs.flatMap(({ lines }) => lines)).toEqual(['schema 2: names in upper case, 700 documents of things changed']);
  });

  it('go on where a killed run stopped', async () => {
    await fill(1200);
    // As if it had been killed: it never releases its lock, and never goes on.
    const batch = new Promise<void>((resolve) => {
      void run(EXPAND, { lockMs: 200, afterBatch: () => new Promise(() => resolve()) });
    });
    await batch;
    const { lines } = await run(EXPAND);
    expect(lines).toEqual(['schema 2: names in upper case, 700 documents of things changed']);
    expect(await due()).toBe(0);
  });

  it('end for a runner whose lock another one has taken', async () => {
    await fill(1200);
    const slow = run(EXPAND, {
      lockMs: 1,
      afterBatch: async () => {
        await store.connection
          .collection<{ _id: string }>(DATABASE_RECORDS)
          .updateOne({ _id: 'schema' }, { $set: { lock: { owner: 'another', until: new Date(Date.now() + 60_000) } } });
      },
    });
    await expect(slow).rejects.toThrow('another runner has taken over');
  });

  it('contract only when told to', async () => {
    await fill(5);
    expect((await run(CONTRACT)).version).toBe(2);
    expect((await run(CONTRACT, { contract: true })).version).toBe(3);
    expect(await things().countDocuments({ name: { $exists: true } })).toBe(0);
  });
});

describe('a release', () => {
  const check = (schema: Schema) => requireSchema(store.connection, schema);

  it('records its schema in a new database', async () => {
    await check(CONTRACT);
    expect((await run(CONTRACT, { contract: true })).lines).toEqual([]);
  });

  it('works on a database that was written before schemas had versions, and after the expansion for the next release', async () => {
    await fill(1);
    await check(FIRST_SCHEMA);
    await run(CONTRACT);
    await check(FIRST_SCHEMA);
    await check(CONTRACT);
  });

  it('waits for the migration of a database that is too old', async () => {
    await fill(1);
    await expect(check(CONTRACT)).rejects.toThrow(UnavailableDependencyError);
    await expect(check(CONTRACT)).rejects.toThrow(/run the migration/);
  });

  it('waits for a newer release when the database is too new', async () => {
    await fill(1);
    await run(CONTRACT, { contract: true });
    await expect(check(EXPAND)).rejects.toThrow(UnavailableDependencyError);
    await expect(check(EXPAND)).rejects.toThrow(/deploy a newer release/);
  });
});
