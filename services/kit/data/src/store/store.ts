import type { Logger } from '@florin/rpc/observe';
import mongoose, { type Connection } from 'mongoose';
import { z } from 'zod';

export const storeShape = {
  /** MongoDB, `mongodb://…` or `mongodb+srv://…`. */
  MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://'),
  /** Name of this service's own database. */
  MONGODB_DATABASE: z.string().regex(/^[a-z0-9_-]{1,60}$/),
  /** Most connections to the engine. */
  MONGODB_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(32),
} as const;

export type Store = {
  connection: Connection;
  /** Creates the collections' declared indexes. Call once, after the models are defined. */
  ready: () => Promise<void>;
  ping: () => Promise<unknown>;
  close: () => Promise<void>;
};

export type StoreOptions = { uri: string; database: string; poolSize: number; logger: Logger };

/** Opens a service's own database. Every wait is bounded; the driver reconnects by itself. */
export const openStore = async ({ uri, database, poolSize, logger }: StoreOptions): Promise<Store> => {
  const connection = mongoose.createConnection(uri, {
    dbName: database,
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    maxPoolSize: poolSize,
    serverSelectionTimeoutMS: 5000,
    connectTimeoutMS: 5000,
    socketTimeoutMS: 30_000,
    waitQueueTimeoutMS: 5000,
    retryWrites: false,
    writeConcern: { w: 'majority', journal: true },
  });
  connection.on('error', (err) => logger.warn({ err }, 'mongodb'));
  await connection.asPromise();
  return {
    connection,
    ready: async () => {
      for (const model of Object.values(connection.models)) await model.createIndexes();
    },
    ping: () => connection.db?.command({ ping: 1 }) ?? Promise.reject(new Error('not connected')),
    close: () => connection.close(),
  };
};

const DUPLICATE_KEY = 11_000;

/** Whether an insert lost against an existing `_id` (or unique index). */
export const isDuplicateKey = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && (error as { code?: unknown }).code === DUPLICATE_KEY;
