import { randomBytes } from 'node:crypto';
import { pause } from '@florin/rpc/time';
import mongoose from 'mongoose';

const DATABASE = 'ballast';
const DOCUMENT_BYTES = 256 * 1024;
const PAUSE_MS = 500;

/** Documents that use up the space which an engine has set aside for itself. */
export type Ballast = {
  /** Ends the inserts and removes the documents. @returns what the engine said when it rejected the first one; undefined when it took all */
  remove: () => Promise<string | undefined>;
};

/** Inserts documents until the engine rejects them, and goes on trying: the service's own small writes then find no space either. */
export const insertBallast = async (mongodbUri: string): Promise<Ballast> => {
  const connection = await mongoose.createConnection(mongodbUri, { dbName: DATABASE, serverSelectionTimeoutMS: PAUSE_MS }).asPromise();
  const stopped = new AbortController();
  let rejection: string | undefined;
  const insert = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        await connection.collection('documents').insertOne({ bytes: randomBytes(DOCUMENT_BYTES) });
      } catch (error) {
        rejection ??= String(error);
        await pause(PAUSE_MS);
      }
    }
  };
  const inserting = insert();
  return {
    remove: async () => {
      stopped.abort();
      await inserting;
      await connection.dropDatabase();
      await connection.close();
      return rejection;
    },
  };
};
