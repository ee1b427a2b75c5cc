import { randomBytes, randomUUID } from 'node:crypto';
import { findOutOfSpace } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import { type Connection, mongo } from 'mongoose';
import { isDuplicateKey } from './store.ts';

/** The collection of what a database knows about itself: its schema, and the keys that it was written with. */
export const DATABASE_RECORDS = 'database_records';

/** The collection of documents that are written to see whether a database accepts writes. Nothing else is in it: a process of a database may write it without owning the records. */
export const WRITE_PROBES = 'write_probes';

const PROBE_INTERVAL_MS = 5000;

/** More than an engine keeps free in what it has, so that a full disk rejects it. */
const LARGE_BYTES = 1024 * 1024;

/** How the ids of large documents begin. */
const LARGE_PROBE = 'large-write-probe-';

type ProbeOptions = {
  /** Writes one small document. */
  write: () => Promise<unknown>;
  /** Writes one large document, and removes it. */
  writeLarge: () => Promise<unknown>;
  logger: Logger;
  intervalMs?: number;
};

export type WriteProbe = {
  /** Rejects while the engine rejects writes, with its reason. */
  check: () => Promise<void>;
  /** Takes notice of an error of the service's own: a write that found no space counts as a rejected probe. */
  observe: (error: unknown) => void;
  /** Probes now. */
  kick: () => void;
  close: () => Promise<void>;
};

/** Replaces the probe document of a database. Any number of processes may do so. */
export const writeProbeDocument = async (connection: Connection, at: Date): Promise<void> => {
  const probes = connection.collection<{ _id: string; at: Date }>(WRITE_PROBES);
  // Two upserts at the same time may collide; then one of them was written.
  await probes.updateOne({ _id: 'write-probe' }, { $set: { at } }, { upsert: true }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
};

/** Inserts a document that an engine cannot compress, and removes it, with those that a killed process has left behind. */
export const writeLargeProbe = async (connection: Connection): Promise<void> => {
  const probes = connection.collection<{ _id: string; bytes: Buffer }>(WRITE_PROBES);
  try {
    await probes.insertOne({ _id: `${LARGE_PROBE}${randomUUID()}`, bytes: randomBytes(LARGE_BYTES) });
  } finally {
    await probes.deleteMany({ _id: { $regex: `^${LARGE_PROBE}` } });
  }
};

/**
 * Writes to an engine every five seconds, because an engine that rejects writes (a full disk, a quota, a replica set without a primary) may go on
 * responding to pings. Only an error reply of the engine counts: a slow or unreachable engine is noticed by other checks.
 *
 * On a full disk an engine still finds space for a small document in the place of an older one. Once it has rejected a write, of the probe or of the service itself, it has to
 * take a large one before it counts as accepting writes.
 */
export const startWriteProbe = ({ write, writeLarge, logger, intervalMs = PROBE_INTERVAL_MS }: ProbeOptions): WriteProbe => {
  let rejection: Error | undefined;
  const reject = (error: Error): void => {
    if (rejection === undefined) logger.error(`MongoDB rejects writes, waiting until it accepts them: ${error.message}`);
    rejection = error;
  };
  const round = async (): Promise<void> => {
    const known = rejection;
    try {
      if (known !== undefined) await writeLarge();
      await write();
      // A rejection that the service met meanwhile is for the next round.
      if (known === undefined || rejection !== known) return;
      logger.info('MongoDB accepts writes again');
      rejection = undefined;
    } catch (error) {
      if (error instanceof mongo.MongoServerError) reject(error);
    }
  };
  const rounds = startRounds({ round, intervalMs, logger, failed: 'probing the engine failed, will retry' });
  return {
    check: async () => {
      if (rejection !== undefined) throw rejection;
    },
    observe: (error) => {
      const found = findOutOfSpace(error);
      if (found !== undefined) reject(found);
    },
    kick: rounds.kick,
    close: rounds.close,
  };
};

/** Probes whether the engine of a database accepts writes. */
export const probeWrites = (connection: Connection, { now, logger }: { now: () => Date; logger: Logger }): WriteProbe =>
  startWriteProbe({ write: () => writeProbeDocument(connection, now()), writeLarge: () => writeLargeProbe(connection), logger });
