import { ConfigError } from '@florin/rpc/config';
import { DEADLOCK } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import mongoose, { type Connection, type Model, mongo } from 'mongoose';
import { z } from 'zod';
import { endWritesToClosedSockets } from './closed-sockets.ts';
import { readAuthorities, renewAuthorities } from './trusted-authorities.ts';

/** Configuration of a service's database. */
export const storeShape = {
  /** MongoDB, `mongodb://…` or `mongodb+srv://…`. Its options for read preference, read concern and write concern have no effect. */
  MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://'),
  /** Name of this service's own database. */
  MONGODB_DATABASE: z.string().regex(/^[a-z0-9_-]{1,60}$/),
  /** Maximum number of connections to the engine. */
  MONGODB_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(32),
} as const;

export type Store = {
  connection: Connection;
  /** Creates the declared indexes of all models that are defined, of each model once, as far as the user may. */
  ready: () => Promise<void>;
  ping: () => Promise<unknown>;
  close: () => Promise<void>;
};

export type StoreOptions = {
  uri: string;
  database: string;
  poolSize: number;
  logger: Logger;
  /** Longest wait for the engine. Default 4 s: less than callers of an RPC wait, so that they learn that the engine is unavailable. */
  connectTimeoutMs?: number;
};

endWritesToClosedSockets();

/** Server codes for credentials that it rejects: AuthenticationFailed, and the one of Atlas. */
const AUTHENTICATION_CODES = new Set<unknown>([18, 8000]);

/** Options of a connection string that would weaken what the services rely on. The driver prefers some of them to what a program sets. */
const CONSISTENCY_OPTIONS = /(?<=[?&])(?:readPreference|readPreferenceTags|maxStalenessSeconds|readConcernLevel|w|j|journal)=[^&]*&?/gi;

/**
 * Options of a read that must see every acknowledged write. A primary that was just elected has all of them before it knows that a majority has: until then, the
 * default read concern misses the last ones. This one also sees what a failover may still take back.
 */
export const LATEST = { readConcern: { level: 'local' } } as const;

/**
 * Options of a read that must see every acknowledged write, and nothing that a failover may take back: it waits until a majority has what was read, and fails at a primary
 * that was replaced. It costs a round trip between the members.
 */
export const PROVEN = { readConcern: { level: 'linearizable' }, maxTimeMS: 4000 } as const;

/** Errors of the driver for connection strings. The first one has two classes. */
const INVALID_URI = new Set(['MongoParseError', 'MongoInvalidArgumentError']);

const connect = async ({ uri, database, poolSize, connectTimeoutMs = 4000 }: StoreOptions): Promise<Connection> => {
  const ca = readAuthorities(uri);
  const connection = mongoose.createConnection();
  try {
    await connection.openUri(uri.replace(CONSISTENCY_OPTIONS, ''), {
      dbName: database,
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      maxPoolSize: poolSize,
      serverSelectionTimeoutMS: connectTimeoutMs,
      connectTimeoutMS: connectTimeoutMs,
      socketTimeoutMS: 30_000,
      waitQueueTimeoutMS: connectTimeoutMs,
      retryWrites: false,
      readPreference: 'primary',
      // Writes that a failover takes back must not be told, acknowledged or built upon.
      readConcern: { level: 'majority' },
      writeConcern: { w: 'majority', journal: true },
      ...(ca === undefined ? {} : { ca }),
    });
  } catch (error) {
    await connection.close(true);
    // Without its message, which may contain the URI.
    if (INVALID_URI.has((error as Error).name)) throw new ConfigError('MONGODB_URI: must be a valid connection string of MongoDB');
    if (error instanceof mongo.MongoServerError && AUTHENTICATION_CODES.has(error.code)) {
      throw new ConfigError('MONGODB_URI: MongoDB rejects the credentials');
    }
    throw error;
  }
  renewAuthorities(uri, connection.getClient());
  return connection;
};

/** Server codes for a command that the user may not run, and for a collection that does not exist. */
const UNAUTHORIZED = 13;
const NAMESPACE_NOT_FOUND = 26;

const isCode = (error: unknown, code: number): boolean => error instanceof mongo.MongoServerError && error.code === code;

/** Reports whether the engine rejected a command because its user may not run it. */
export const isUnauthorized = (error: unknown): boolean => isCode(error, UNAUTHORIZED);

/** The parts of an index that make it another one. */
const definitionOf = ({ key, unique, sparse, partialFilterExpression, expireAfterSeconds }: mongo.IndexDescription): string =>
  JSON.stringify([key, unique === true, sparse === true, partialFilterExpression, expireAfterSeconds]);

/**
 * Creates the indexes of a model with one command, unless the collection has them all. A user who may not goes on without those that only save time: an index can
 * remove documents and keep others from being stored, so the audit log's are made by the job that trims it, and those of feeds by their owner.
 */
const createIndexes = async ({ schema, collection }: Model<unknown>, logger: Logger): Promise<void> => {
  const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongo.IndexDescription);
  if (indexes.length === 0) return;
  const existing = await collection.indexes().catch((error: unknown) => {
    if (isCode(error, NAMESPACE_NOT_FOUND)) return [];
    throw error;
  });
  const known = new Set(existing.map((index) => definitionOf(index as mongo.IndexDescription)));
  if (indexes.every((index) => known.has(definitionOf(index)))) return;
  try {
    await collection.createIndexes(indexes);
  } catch (error) {
    if (!isUnauthorized(error) || indexes.some(({ unique }) => unique === true)) throw error;
    logger.warn({ collection: collection.collectionName }, 'indexes are missing, and the user of the database may not create them');
  }
};

/**
 * Opens a service's database. Every wait is bounded, and the driver reconnects automatically, with the authorities that `tlsCAFile` then has. Reads go to the primary
 * and see what a majority of the members has, writes wait for it, whatever the URI says.
 * @throws ConfigError when the URI is invalid or MongoDB rejects its credentials
 * @throws the driver's error when the engine cannot be reached in time
 */
export const openStore = async (options: StoreOptions): Promise<Store> => {
  const { logger } = options;
  const connection = await connect(options);
  connection.on('error', (err) => logger.warn({ err }, 'mongodb'));
  const created = new Set<string>();
  return {
    connection,
    ready: async () => {
      const missing = Object.entries(connection.models).filter(([name]) => !created.has(name));
      await Promise.all(
        missing.map(async ([name, model]) => {
          await createIndexes(model, logger);
          created.add(name);
        }),
      );
    },
    ping: () => connection.db?.command({ ping: 1 }) ?? Promise.reject(new Error('the connection is closed')),
    close: () => connection.close(),
  };
};

/**
 * Returns the driver's collection behind a model, typed by the model's documents. Reads and writes through it skip mongoose's casting,
 * defaults and hooks. Mongoose types its collections by `ObjectId` keys only; this is the one place that corrects it.
 */
export const rawCollection = <D extends mongo.Document>(model: Model<D>): mongo.Collection<D> =>
  model.collection as unknown as mongo.Collection<D>;

const DUPLICATE_KEY = 11_000;

/** Reports whether a write failed because its `_id`, or another unique key, already exists. */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: unknown }).code === DUPLICATE_KEY;

/** Each deadlock leaves a winner, so that no write meets as many. */
const MAX_DEADLOCKS = 20;

/**
 * Repeats a write that FerretDB aborts as the victim of a deadlock at a unique index; it has stored nothing of it. For writes after which a caller could not begin anew:
 * others are rejected with SERVICE_UNAVAILABLE.
 */
export const throughDeadlocks = async <T>(write: () => Promise<T>): Promise<T> => {
  for (let left = MAX_DEADLOCKS; ; left -= 1) {
    try {
      return await write();
    } catch (error) {
      if (!isCode(error, DEADLOCK) || left === 0) throw error;
    }
  }
};
