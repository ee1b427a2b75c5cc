import { UnavailableDependencyError } from '@florin/rpc/service';
import type { Connection, mongo } from 'mongoose';
import { DATABASE_RECORDS, isDuplicateKey, WRITE_PROBES } from '../store/index.ts';

type Document = Record<string, unknown> & { _id: unknown };

/** A change of documents, or the end of indexes. */
type MigratedParts =
  | {
      /** Selects the documents that have the former shape; a changed one is not selected any more. */
      due: mongo.Filter<Document>;
      /** Changes one of them, by itself. */
      update: mongo.UpdateFilter<Document> | mongo.Document[];
    }
  | {
      /** Names of the indexes that no release has any more. */
      dropIndexes: readonly string[];
    };

/**
 * A change of a collection that runs while instances serve.
 *
 * `expand` adds what the next release reads: releases that know only earlier versions go on working, so it runs before they are replaced. `contract`
 * removes what only earlier releases read: it runs when none of them is left, and none starts afterwards.
 */
export type Migration = {
  /** The version that the database has afterwards. */
  version: number;
  /** The change, in a few words. */
  name: string;
  kind: 'expand' | 'contract';
  collection: string;
} & MigratedParts;

/** The schema that a release of a service knows. One version orders the changes of all collections, because one service writes them all. */
export type Schema = {
  /** The version that this release writes. */
  version: number;
  /** The lowest version that it reads. */
  reads: number;
  /** The steps from one version to the next, in their order. */
  migrations: readonly Migration[];
};

/** A schema that has not changed yet. */
export const FIRST_SCHEMA: Schema = { version: 1, reads: 1, migrations: [] };

export type SchemaRecord = {
  _id: 'schema';
  version: number;
  /** The lowest version that a release must know to work on the database. */
  readableFrom: number;
  lock?: { owner: string; until: Date };
};

export const schemaRecords = (connection: Connection): mongo.Collection<SchemaRecord> =>
  connection.collection(DATABASE_RECORDS) as unknown as mongo.Collection<SchemaRecord>;

/**
 * Returns the record of a database's schema, and stores it when it is missing, unless told not to. A database without documents has the version that the release writes; one that was written before
 * there were versions has version 1.
 */
export const findSchema = async (connection: Connection, schema: Schema, { stores = true } = {}): Promise<SchemaRecord> => {
  const records = schemaRecords(connection);
  const found = await records.findOne({ _id: 'schema' });
  if (found !== null) return found;
  const collections = await connection.listCollections();
  const names = collections.map(({ name }) => name).filter((name) => name !== DATABASE_RECORDS && name !== WRITE_PROBES);
  const counts = await Promise.all(names.map((name) => connection.collection(name).findOne({}, { projection: { _id: 1 } })));
  const isNew = counts.every((document) => document === null);
  const first: SchemaRecord = isNew
    ? { _id: 'schema', version: schema.version, readableFrom: schema.version }
    : { _id: 'schema', version: 1, readableFrom: 1 };
  if (!stores) return first;
  await records.insertOne(first).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  return (await records.findOne({ _id: 'schema' })) ?? first;
};

/**
 * Makes sure that a release can work on a database.
 * @throws UnavailableDependencyError `schema` when the database is too new or too old for it, with what to do; the start then waits
 */
export const requireSchema = async (connection: Connection, schema: Schema): Promise<void> => {
  const { version, readableFrom } = await findSchema(connection, schema);
  if (readableFrom > schema.version) {
    const message = `the database needs a release that knows schema ${readableFrom}, and this one knows ${schema.version}: deploy a newer release`;
    throw new UnavailableDependencyError('schema', message);
  }
  if (version < schema.reads) {
    const message = `the database has schema ${version}, and this release needs ${schema.reads}: run the migration (npm run migrate)`;
    throw new UnavailableDependencyError('schema', message);
  }
};
