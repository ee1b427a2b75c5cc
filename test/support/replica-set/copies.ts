import { mongo } from 'mongoose';
import { EXACT } from './wire.ts';

type Document = mongo.Document;

/** A command that changes something, and the database that it changes. */
export type Write = { database: string; command: Document };

/** Fields of a command that concern the way to a member, not the engine behind it. */
const OF_THE_WAY = ['$db', 'lsid', 'txnNumber', '$clusterTime', '$readPreference', 'readConcern', 'writeConcern', 'maxTimeMS'];

const toEngine = (command: Document): Document => {
  const sent = { ...command };
  for (const field of OF_THE_WAY) delete sent[field];
  return sent;
};

/** Returns the reply that a driver made an error of. */
const rejection = (error: unknown): Document => {
  if (error instanceof mongo.MongoServerError && typeof error.errorResponse?.['code'] !== 'undefined') return error.errorResponse;
  throw error;
};

/** Documents of one insert of a copy. */
const BATCH = 1000;

/**
 * Copies of the same data in one engine: each has its own databases. The same writes in the same order make two copies equal, because an engine does the same with the same
 * commands.
 */
export class Copies {
  readonly #client: mongo.MongoClient;
  readonly #databases = new Set<string>();
  #made = 0;

  constructor(mongodbUri: string) {
    this.#client = new mongo.MongoClient(mongodbUri, { maxPoolSize: 16, retryWrites: false, retryReads: false });
  }

  #of(copy: number, database: string): mongo.Db {
    return this.#client.db(`${database}-${copy}`);
  }

  /** Makes an empty copy. */
  create(): number {
    this.#made += 1;
    return this.#made;
  }

  /** Runs a command on a copy. @returns the engine's reply, which may reject it */
  async run(copy: number, { database, command }: Write): Promise<Document> {
    this.#databases.add(database);
    return this.#of(copy, database).command(toEngine(command), EXACT).catch(rejection);
  }

  /** Runs a command that returns a cursor. @returns all documents, or the engine's rejection */
  async documents(copy: number, { database, command }: Write): Promise<Document[] | { rejected: Document }> {
    const { batchSize: _batchSize, cursor, ...rest } = toEngine(command);
    const whole = cursor === undefined ? rest : { ...rest, cursor: {} };
    try {
      return await this.#of(copy, database).runCursorCommand(whole, EXACT).toArray();
    } catch (error) {
      return { rejected: rejection(error) };
    }
  }

  /** Makes an equal copy. */
  async duplicate(copy: number): Promise<number> {
    const made = this.create();
    for (const database of this.#databases) {
      for (const { name } of await this.#of(copy, database).listCollections({}, { nameOnly: true }).toArray()) {
        await this.copyCollection({ from: copy, to: made, database, name });
      }
    }
    return made;
  }

  /** Makes a collection of a copy equal to that of another copy. */
  async copyCollection({ from, to, database, name }: { from: number; to: number; database: string; name: string }): Promise<void> {
    const [source, target] = [this.#of(from, database), this.#of(to, database)];
    await target.collection(name).drop();
    if ((await source.listCollections({ name }, { nameOnly: true }).toArray()).length === 0) return;
    await target.createCollection(name);
    const indexes = (await source.collection(name).indexes()).filter((index) => index.name !== '_id_');
    if (indexes.length > 0) await target.command({ createIndexes: name, indexes: indexes.map(({ v: _v, ...index }) => index) });
    const documents = await source.collection(name).find({}, EXACT).toArray();
    for (let at = 0; at < documents.length; at += BATCH) await target.collection(name).insertMany(documents.slice(at, at + BATCH));
  }

  async drop(copy: number): Promise<void> {
    for (const database of this.#databases) await this.#of(copy, database).dropDatabase();
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
