import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import { type Connection, mongo } from 'mongoose';
import { isDuplicateKey } from './store.ts';

/** The collection of what a database knows about itself: its schema, and the document that is written to see whether it accepts writes. */
export const DATABASE_RECORDS = 'database_records';

const PROBE_INTERVAL_MS = 5000;

type ProbeOptions = {
  /** Writes one small document. */
  write: () => Promise<unknown>;
  logger: Logger;
  intervalMs?: number;
};

export type WriteProbe = {
  /** Rejects while the engine rejects writes, with its reason. */
  check: () => Promise<void>;
  /** Probes now. */
  kick: () => void;
  close: () => Promise<void>;
};

/** Replaces the probe document of a database. Any number of processes may do so. */
export const writeProbeDocument = async (connection: Connection, at: Date): Promise<void> => {
  const records = connection.collection<{ _id: string; at: Date }>(DATABASE_RECORDS);
  // Two upserts at the same time may collide; then one of them was written.
  await records.updateOne({ _id: 'write-probe' }, { $set: { at } }, { upsert: true }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
};

/**
 * Writes to an engine every five seconds, because an engine that rejects writes (a full disk, a quota, a replica set without a primary) may go on
 * responding to pings. Only an error reply of the engine counts: a slow or unreachable engine is noticed by other checks.
 */
export const startWriteProbe = ({ write, logger, intervalMs = PROBE_INTERVAL_MS }: ProbeOptions): WriteProbe => {
  let rejection: mongo.MongoServerError | undefined;
  const round = async (): Promise<void> => {
    try {
      await write();
      if (rejection !== undefined) logger.info('MongoDB accepts writes again');
      rejection = undefined;
    } catch (error) {
      if (!(error instanceof mongo.MongoServerError)) return;
      if (rejection === undefined) logger.error(`MongoDB rejects writes, waiting until it accepts them: ${error.message}`);
      rejection = error;
    }
  };
  const rounds = startRounds({ round, intervalMs, logger, failed: 'probing the engine failed, will retry' });
  return {
    check: async () => {
      if (rejection !== undefined) throw rejection;
    },
    kick: rounds.kick,
    close: rounds.close,
  };
};
