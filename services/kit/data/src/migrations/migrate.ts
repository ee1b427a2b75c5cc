import { randomUUID } from 'node:crypto';
import { pause } from '@florin/rpc/time';
import type { Connection, mongo } from 'mongoose';
import { findSchema, type Migration, type Schema, type SchemaRecord, schemaRecords } from './schema.ts';

type Document = Record<string, unknown> & { _id: unknown };

const BATCH = 500;
/** A runner that was killed keeps others waiting for so long. */
const LOCK_MS = 30_000;
const LOOK_MS = 500;

export type MigrateOptions = {
  connection: Connection;
  schema: Schema;
  report: (line: string) => void;
  /** Counts what would change, and changes nothing. */
  dryRun?: boolean;
  /** Also runs migrations after which earlier releases cannot work. Only when none of their instances is left. */
  contract?: boolean;
  lockMs?: number;
  /** Called after each batch, for tests. */
  afterBatch?: () => Promise<void> | void;
};

/** Raised when another runner took over because this one had not renewed its lock in time. */
class LostLockError extends Error {
  override readonly name = 'LostLockError';
}

/** Holds the lock of a database's migrations, so that one of several runners works. */
const createMigrationLock = (records: mongo.Collection<SchemaRecord>, lockMs: number) => {
  const owner = randomUUID();
  const until = (): Date => new Date(Date.now() + lockMs);
  return {
    take: async (): Promise<boolean> => {
      const free = { $or: [{ lock: { $exists: false } }, { 'lock.until': { $lt: new Date() } }] };
      const taken = await records.updateOne({ _id: 'schema', ...free }, { $set: { lock: { owner, until: until() } } });
      return taken.modifiedCount === 1;
    },
    /** @throws LostLockError */
    renew: async (more: Partial<Pick<SchemaRecord, 'version' | 'readableFrom'>> = {}): Promise<void> => {
      const renewed = await records.updateOne({ _id: 'schema', 'lock.owner': owner }, { $set: { 'lock.until': until(), ...more } });
      if (renewed.matchedCount !== 1) throw new LostLockError('another runner has taken over');
    },
    release: async (): Promise<void> => {
      await records.updateOne({ _id: 'schema', 'lock.owner': owner }, { $unset: { lock: '' } });
    },
  };
};

const kindOf = (migration: Migration): string => ('dropIndexes' in migration ? 'indexes' : 'documents');

/** The indexes of a migration that the collection still has. */
const indexesOf = async (connection: Connection, collection: string, names: readonly string[]): Promise<string[]> => {
  const exists = (await connection.listCollections()).some(({ name }) => name === collection);
  const indexes = exists ? await connection.collection(collection).indexes() : [];
  return indexes.flatMap(({ name }) => (name !== undefined && names.includes(name) ? [name] : []));
};

/** Changes the due documents in batches, from the lowest `_id` on, or drops indexes. @returns how many were due */
const pass = async (connection: Connection, migration: Migration, afterBatch: () => Promise<void>): Promise<number> => {
  const { collection } = migration;
  if ('dropIndexes' in migration) {
    const dropped = await indexesOf(connection, collection, migration.dropIndexes);
    for (const name of dropped) await connection.collection(collection).dropIndex(name);
    return dropped.length;
  }
  const { due, update } = migration;
  const documents = connection.collection(collection) as unknown as mongo.Collection<Document>;
  let changed = 0;
  let after: unknown;
  for (;;) {
    const place = (after === undefined ? {} : { _id: { $gt: after } }) as mongo.Filter<Document>;
    const found = await documents.find({ $and: [place, due] }, { projection: { _id: 1 }, sort: { _id: 1 }, limit: BATCH }).toArray();
    const ids = found.map(({ _id }) => _id);
    if (ids.length === 0) return changed;
    // The condition is checked again by the write: a document may have changed since it was found.
    await documents.updateMany({ $and: [{ _id: { $in: ids } }, due] } as mongo.Filter<Document>, update);
    changed += ids.length;
    after = ids.at(-1);
    await afterBatch();
  }
};

/**
 * Brings a database to the schema of a release, while instances serve. Can be repeated, and goes on where a killed run stopped: what was changed is not
 * due any more. Of several runners one works, the others wait for it. Passes are repeated until one finds nothing, because instances of the former
 * release write on.
 * @returns the version of the database afterwards
 * @throws LostLockError when another runner took over
 */
export const migrate = async (options: MigrateOptions): Promise<number> => {
  const { connection, schema, report, dryRun = false, contract = false, lockMs = LOCK_MS } = options;
  const records = schemaRecords(connection);
  const read = () => findSchema(connection, schema, { stores: !dryRun });
  const pendingAt = (version: number): Migration[] => {
    const later = schema.migrations.filter((migration) => migration.version > version);
    const end = contract ? -1 : later.findIndex(({ kind }) => kind === 'contract');
    return end === -1 ? later : later.slice(0, end);
  };

  let { version } = await read();
  if (dryRun) {
    for (const migration of pendingAt(version)) {
      const { version: next, name, kind, collection } = migration;
      const count =
        'dropIndexes' in migration
          ? (await indexesOf(connection, collection, migration.dropIndexes)).length
          : await connection.collection<Document>(collection).countDocuments(migration.due);
      report(`would change ${count} ${kindOf(migration)} of ${collection}: schema ${next}, ${kind}, ${name}`);
    }
    return version;
  }
  const lock = createMigrationLock(records, lockMs);
  while (pendingAt(version).length > 0 && !(await lock.take())) {
    await pause(LOOK_MS);
    ({ version } = await read());
  }
  try {
    ({ version } = await read());
    for (const migration of pendingAt(version)) {
      if (migration.kind === 'contract') await lock.renew({ readableFrom: migration.version });
      let total = 0;
      for (let changed = -1; changed !== 0; ) {
        changed = await pass(connection, migration, async () => {
          await lock.renew();
          await options.afterBatch?.();
        });
        total += changed;
      }
      await lock.renew({ version: migration.version });
      version = migration.version;
      report(`schema ${version}: ${migration.name}, ${total} ${kindOf(migration)} of ${migration.collection} changed`);
    }
  } finally {
    await lock.release();
  }
  return version;
};
