import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Model } from 'mongoose';
import { rawCollection } from '../store/index.ts';
import type { OutboxEvent } from './event.ts';

/** Publishes one event. Rejects when the event may not have arrived, and must accept the same event again. */
export type Publish = (aggregateId: string, event: OutboxEvent) => Promise<void>;

/** `kick` reports that there may be events to publish, so that they do not wait for the next round. */
export type OutboxRelay = Rounds & {
  /** When the oldest event was written that the last round found and did not publish; undefined without one. */
  oldest: () => Date | undefined;
};

type OutboxRelayOptions = {
  // biome-ignore lint/suspicious/noExplicitAny: any model whose documents have an `outbox` field
  model: Model<any>;
  publish: Publish;
  logger: Logger;
  /** Pause between rounds that are not kicked, in milliseconds. Default: 500. */
  intervalMs?: number;
};

const BATCH = 50;

/** Pause before a round that was kicked during another one, which forms larger batches under load: a round costs two commands of the engine. */
const GATHER_MS = 20;

type Aggregate = { _id: string; outbox: OutboxEvent[] };

/**
 * Publishes the events that wait in documents: oldest documents first, in order within each document. An event is removed only after it
 * was published, so that it is delivered at least once even if the process is killed at any point.
 */
export const createOutboxRelay = ({ model, publish, logger, intervalMs = 500 }: OutboxRelayOptions): OutboxRelay => {
  /** Publishes in order until an event fails. @returns the ids of the published events */
  const drain = async ({ _id, outbox }: Aggregate): Promise<{ ids: string[]; failure?: unknown }> => {
    const ids: string[] = [];
    for (const event of outbox) {
      try {
        await publish(_id, event);
      } catch (failure) {
        return { ids, failure };
      }
      ids.push(event.id);
    }
    return { ids };
  };

  let oldest: Date | undefined;

  // Events are read and removed as they are stored: casting them costs more than the commands.
  const collection = rawCollection(model as Model<Aggregate>);

  /** Publishes one batch. @returns whether more events may be waiting */
  const batch = async (): Promise<boolean> => {
    const waiting = await collection
      .find({ 'outbox.at': { $exists: true } }, { projection: { outbox: 1 } })
      .sort({ 'outbox.at': 1 })
      .limit(BATCH)
      .toArray();
    oldest = waiting[0]?.outbox[0]?.at;
    // Concurrently: only the events of one aggregate are ordered.
    const drained = await Promise.all(waiting.map(async (aggregate) => ({ _id: aggregate._id, ...(await drain(aggregate)) })));
    const pulls = drained
      .filter(({ ids }) => ids.length > 0)
      // In the order of the ids, like all writes of several documents: an engine that locks them until its end then never waits in a circle.
      .toSorted((a, b) => (String(a._id) < String(b._id) ? -1 : 1))
      .map(({ _id, ids }) => ({ updateOne: { filter: { _id }, update: { $pull: { outbox: { id: { $in: ids } } } } } }));
    if (pulls.length > 0) await collection.bulkWrite(pulls, { ordered: false });
    // A failed event delays only its own aggregate.
    const failures = drained.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
    if (failures.length === 0) oldest = undefined;
    for (const err of failures) logger.warn({ err }, 'publishing an event failed, will retry');
    return failures.length === 0 && waiting.length === BATCH;
  };

  const round = async (closed: () => boolean): Promise<void> => {
    while ((await batch()) && !closed());
  };

  const rounds = startRounds({ round, intervalMs, gatherMs: GATHER_MS, logger, failed: 'outbox round failed, will retry' });
  return { ...rounds, oldest: () => oldest };
};
