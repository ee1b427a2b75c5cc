import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { startRounds } from '@florin/rpc/time';
import type { Connection, mongo } from 'mongoose';
import { earlierTime } from '../store/index.ts';

type Stored = { _id: string } & Record<string, unknown>;

/** Which documents of a collection are kept for how long, and what becomes of them. */
export type RetentionRule = {
  collection: string;
  keptMs: number;
  /** Selects the documents that are due. @param before time at which `keptMs` began, counted back from now */
  due: (before: Date) => mongo.Filter<Stored>;
  /** Fields that are erased; without it the documents are deleted. `due` must no longer select a document without the fields. */
  erase?: readonly string[];
};

export const daysMs = (days: number): number => days * 24 * 60 * 60 * 1000;

/** Idempotency keys are deleted when their time is over. A repeat after that counts as a new request. */
export const reservationRule = (days: number): RetentionRule => ({
  collection: 'reservations',
  keptMs: daysMs(days),
  due: (before) => ({ createdAt: { $lt: before } }),
});

/** Documents that one write changes, and writes of one rule per round. */
const BATCH = 500;
const BATCHES_PER_ROUND = 20;
const INTERVAL_MS = 60_000;

/** Applies a rule to a batch. @returns whether there may be more */
const applyOnce = async (connection: Connection, { collection, keptMs, due, erase }: RetentionRule, now: Date): Promise<boolean> => {
  const documents = connection.collection(collection) as unknown as mongo.Collection<Stored>;
  const filter = due(new Date(now.getTime() - keptMs));
  const ids = (await documents.find(filter, { projection: { _id: 1 }, limit: BATCH }).toArray()).map(({ _id }) => _id);
  if (ids.length === 0) return false;
  // The condition is checked again by the write: a document may have changed since it was found.
  const chosen = { $and: [{ _id: { $in: ids } }, filter] } as mongo.Filter<Stored>;
  if (erase === undefined) await documents.deleteMany(chosen);
  else await documents.updateMany(chosen, { $unset: Object.fromEntries(erase.map((field) => [field, ''])) } as mongo.UpdateFilter<Stored>);
  return ids.length === BATCH;
};

/**
 * Applies retention rules once a minute, at most 10,000 documents per rule and round, in batches. Any number of replicas may do so. A rule
 * that fails does not keep the others from being applied. Of the process's clock and the engine's, the earlier one counts.
 */
export const startRetention = ({
  connection,
  rules,
  runtime,
  logger,
  intervalMs = INTERVAL_MS,
}: {
  connection: Connection;
  rules: readonly RetentionRule[];
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
  intervalMs?: number;
}) => {
  const round = async (closed: () => boolean): Promise<void> => {
    const now = await earlierTime(connection, runtime.now);
    for (const rule of rules) {
      try {
        for (let batch = 0; batch < BATCHES_PER_ROUND && !closed(); batch += 1) {
          if (!(await applyOnce(connection, rule, now))) break;
        }
      } catch (err) {
        logger.warn({ err, collection: rule.collection }, 'applying a retention time failed, will be retried');
      }
    }
  };
  return startRounds({ round, intervalMs, logger, failed: 'applying retention times failed, will be retried' });
};
