import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Model } from 'mongoose';
import type { OutboxEvent } from './event.ts';

/** Hands one event over. Must reject when it did not arrive; may be called twice for the same event. */
export type Publish = (aggregateId: string, event: OutboxEvent) => Promise<void>;

/** `kick` says that there may be something to publish, so that nobody waits for the next round. */
export type OutboxRelay = Rounds;

type OutboxRelayOptions = {
  // biome-ignore lint/suspicious/noExplicitAny: any model whose documents have an `outbox` member
  model: Model<any>;
  publish: Publish;
  logger: Logger;
  /** Pause between rounds when nothing is kicked, in milliseconds. */
  intervalMs?: number;
};

const BATCH = 50;

/** Under load events leave in larger batches, at a few milliseconds' cost. */
const GATHER_MS = 5;

type Aggregate = { _id: unknown; outbox: OutboxEvent[] };

/**
 * Publishes the events that wait in documents: oldest documents first, in order within each document, each pulled out only
 * after it was handed over. At least once; none is lost when a process is killed anywhere in between.
 */
export const createOutboxRelay = ({ model, publish, logger, intervalMs = 500 }: OutboxRelayOptions): OutboxRelay => {
  /** Publishes in order until one cannot be. @returns the ids of those that were */
  const drain = async ({ _id, outbox }: Aggregate): Promise<{ ids: string[]; failure?: unknown }> => {
    const ids: string[] = [];
    for (const event of outbox) {
      try {
        await publish(String(_id), event);
      } catch (failure) {
        return { ids, failure };
      }
      ids.push(event.id);
    }
    return { ids };
  };

  /** Publishes one batch; answers whether there may be more to do at once. */
  const batch = async (): Promise<boolean> => {
    const waiting: Aggregate[] = await model
      .find({ 'outbox.at': { $exists: true } }, { outbox: 1 })
      .sort({ 'outbox.at': 1 })
      .limit(BATCH)
      .lean();
    // At once: only the events of one aggregate have an order, and those who wait for one shall not wait for all others.
    const drained = await Promise.all(waiting.map(async (aggregate) => ({ _id: aggregate._id, ...(await drain(aggregate)) })));
    const pulls = drained
      .filter(({ ids }) => ids.length > 0)
      .map(({ _id, ids }) => ({ updateOne: { filter: { _id }, update: { $pull: { outbox: { id: { $in: ids } } } } } }));
    if (pulls.length > 0) await model.bulkWrite(pulls, { ordered: false });
    // The others went on: one event that cannot be handed over must not hold up all aggregates.
    const failures = drained.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
    for (const err of failures) logger.warn({ err }, 'event could not be published, will be repeated');
    return failures.length === 0 && waiting.length === BATCH;
  };

  const round = async (closed: () => boolean): Promise<void> => {
    while ((await batch()) && !closed());
  };

  return startRounds({ round, intervalMs, gatherMs: GATHER_MS, logger, failed: 'outbox round failed, will be repeated' });
};
