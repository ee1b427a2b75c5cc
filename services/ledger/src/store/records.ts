import { WRITE_PROBES } from '@florin/data/store';
import mongoose, { type Connection } from 'mongoose';
import { DERIVED } from './derived.ts';

const { EJSON } = mongoose.mongo.BSON;

/** Collections of the journal itself. */
const JOURNAL = ['blocks', 'heads', 'snapshots', 'snapshot_parts'];
const IMPORTS = 'imports';

/** Names that mean something to the engine. */
const RESERVED = /^$|^system\.|[$\0]/;

/** Reports whether a collection of this name neither is the journal nor follows from it. */
const isRecord = (name: string): boolean => !RESERVED.test(name) && ![...JOURNAL, ...DERIVED, IMPORTS, WRITE_PROBES].includes(name);

/**
 * A document as `all` of a record store returned it.
 * @throws Error when it is not one, or its collection does not hold records
 */
export const readRecord = (name: unknown, record: object): Record<string, unknown> => {
  if (typeof name !== 'string' || !isRecord(name)) throw new Error(`collection ${String(name)} does not hold records`);
  const document = EJSON.deserialize(record) as Record<string, unknown>;
  if (document['_id'] === undefined || document['_id'] === null) throw new Error(`a record of ${name} has no id`);
  return document;
};

type Marker = { _id: 'import'; startedAt: Date };

/** Collections that neither are the journal nor follow from it: accounts, claims, settings. */
export const createRecordStore = (connection: Connection) => {
  const { db } = connection;
  if (db === undefined) throw new Error('not connected');
  const names = async (): Promise<string[]> => {
    const found = await db.listCollections({}, { nameOnly: true }).toArray();
    return found
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('system.'))
      .sort();
  };
  const imports = connection.collection<Marker>(IMPORTS);
  return {
    /** All documents, in canonical extended JSON. */
    all: async function* (): AsyncGenerator<{ collection: string; record: object }> {
      for (const name of (await names()).filter(isRecord)) {
        for await (const document of db.collection(name).find({}).sort({ _id: 1 })) {
          yield { collection: name, record: EJSON.serialize(document, { relaxed: false }) as object };
        }
      }
    },
    /** Inserts a document that `all` returned. Fields that the journal decides are removed, to be derived again. */
    insert: async (name: string, record: object): Promise<void> => {
      const document = readRecord(name, record);
      const { provisionedAt, closedAt, ...account } = document;
      const asOpened = { ...account, status: 'provisioning', asOf: 0, updatedAt: document['createdAt'] };
      await db.collection(name).insertOne((name === 'accounts' ? asOpened : document) as never);
    },
    /** Name of a collection that holds a document, besides the marker of an import; undefined when all are empty. */
    findNonEmpty: async (): Promise<string | undefined> => {
      for (const name of await names()) {
        if (name !== IMPORTS && (await db.collection(name).findOne({}, { projection: { _id: 1 } })) !== null) return name;
      }
      return undefined;
    },
    /** Empties the database, without the marker of an import. */
    wipe: async (): Promise<void> => {
      for (const name of await names()) if (name !== IMPORTS) await db.collection(name).deleteMany({});
    },
    /** True if an import was begun and has not ended. */
    importPending: async (): Promise<boolean> => (await imports.findOne({ _id: 'import' })) !== null,
    beginImport: async (startedAt: Date): Promise<void> => {
      await imports.replaceOne({ _id: 'import' }, { startedAt }, { upsert: true });
    },
    endImport: async (): Promise<void> => {
      await imports.deleteOne({ _id: 'import' });
    },
  };
};

export type RecordStore = ReturnType<typeof createRecordStore>;
