import mongoose, { type Connection } from 'mongoose';
import { DERIVED } from './derived.ts';

const { EJSON } = mongoose.mongo.BSON;

/** Collections of the journal itself. */
const JOURNAL = ['blocks', 'heads', 'snapshots', 'snapshot_parts'];
const IMPORTS = 'imports';

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
  const isRecord = (name: string): boolean => ![...JOURNAL, ...DERIVED, IMPORTS].includes(name);
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
    /** Inserts a document that `all` returned. What the journal decides about an account is taken off, to be derived again. */
    insert: async (name: string, record: object): Promise<void> => {
      if (!isRecord(name)) throw new Error(`collection ${name} does not hold records`);
      const document = EJSON.deserialize(record) as Record<string, unknown>;
      const { provisionedAt, closedAt, ...account } = document;
      const asOpened = { ...account, status: 'provisioning', asOf: 0, updatedAt: document['createdAt'] };
      await db.collection(name).insertOne((name === 'accounts' ? asOpened : document) as never);
    },
    isRecord,
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
    /** Whether an import was begun and has not ended. */
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
