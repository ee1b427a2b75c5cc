import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Model, mongo } from 'mongoose';
import { rawCollection } from '../store/index.ts';
import type { OutboxEvent, Outboxed } from './event.ts';
import type { AppendToFeed, FeedOutcome } from './feed.ts';

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
  /** The feed that keeps every event. Undefined: events leave the outbox once they are published. */
  feed?: AppendToFeed | undefined;
  logger: Logger;
  /** Pause between rounds that are not kicked, in milliseconds. Default: 500. */
  intervalMs?: number;
};

const BATCH = 50;

/** Pause before a round that was kicked during another one, which forms larger batches under load: a round costs two commands of the engine. */
const GATHER_MS = 20;

/** While the feed is away, a round looks for events to publish from so long before the newest published one, because they are not written in the exact order of their times. */
const OVERLAP_MS = 60_000;
/** Documents that such a round looks at, at most. */
const MAX_RECENT = 1000;

/** Codes with which the feed rejects an event for what it is. */
const REJECTIONS: ReadonlySet<string> = new Set(['EVENT_TYPE_UNKNOWN', 'FORBIDDEN', 'VALIDATION_FAILED'] satisfies ErrorCode[]);

const isRejection = (error: unknown): boolean => error instanceof CodedError && REJECTIONS.has(error.code);

/** Most published events that are remembered while they wait for the feed, so that they are not published again with every try. */
const MAX_PUBLISHED = 100_000;

type Aggregate = Outboxed & { _id: string };

/** An aggregate with the events at the front of its outbox that were published, and why the next one was not. */
type Drained = { aggregate: Aggregate; events: OutboxEvent[]; failure?: unknown };

/** An aggregate, the events that leave its outbox, and its count of events that have left. */
type Leaving = { aggregate: Aggregate; events: readonly OutboxEvent[]; relayed: number };

/** Removes the events of an aggregate up to the first that the feed has not kept. */
const leavingOf = ({ aggregate, events }: Drained, outcomes: readonly FeedOutcome[]): Leaving => {
  const end = outcomes.findIndex(({ isKept }) => !isKept);
  const kept = end === -1 ? events : events.slice(0, end);
  const stopped = outcomes[end];
  const before = aggregate.relayed ?? 0;
  const relayed = stopped === undefined || stopped.isKept ? before + kept.length : stopped.renumberFrom - 1;
  return { aggregate, events: kept, relayed };
};

/**
 * Removes events from an outbox and counts them in one write, which does nothing when another relay has removed some of them: otherwise
 * the events that follow would be numbered wrongly.
 */
const removal = ({ aggregate: { _id, relayed: before }, events, relayed }: Leaving): mongo.AnyBulkWriteOperation<Aggregate> => ({
  updateOne: {
    filter: { _id, relayed: before ?? { $exists: false } },
    update: { $set: { relayed }, $pull: { outbox: { id: { $in: events.map(({ id }) => id) } } } },
  },
});

/**
 * Publishes the events that wait in documents: oldest documents first, in order within each document. An event is removed only after it
 * was published, and after the feed has it, so that it is delivered at least once even if the process is killed at any point. While the feed is away, events are
 * published and stay in the outbox.
 */
export const createOutboxRelay = ({ model, publish, feed, logger, intervalMs = 500 }: OutboxRelayOptions): OutboxRelay => {
  const published = new Set<string>();

  const publishOnce = async (aggregateId: string, event: OutboxEvent): Promise<void> => {
    if (published.has(event.id)) return;
    await publish(aggregateId, event);
    if (feed === undefined) return;
    published.add(event.id);
    if (published.size <= MAX_PUBLISHED) return;
    for (const id of published) {
      published.delete(id);
      break;
    }
  };

  /** Publishes in order until an event fails. */
  const drain = async (aggregate: Aggregate): Promise<Drained> => {
    const events: OutboxEvent[] = [];
    for (const event of aggregate.outbox) {
      try {
        await publishOnce(aggregate._id, event);
      } catch (failure) {
        return { aggregate, events, failure };
      }
      events.push(event);
    }
    return { aggregate, events };
  };

  let oldest: Date | undefined;
  let newestPublished = new Date(0);

  // Events are read and removed as they are stored: casting them costs more than the commands.
  const collection = rawCollection(model as Model<Aggregate>);

  /** Appends what was published to the feed. @returns what may leave */
  const keepTogether = async (drained: readonly Drained[]): Promise<Leaving[]> => {
    if (feed === undefined) return drained.map((one) => leavingOf(one, []));
    const numbered = drained.flatMap(({ aggregate: { _id: aggregateId, relayed = 0 }, events }) =>
      events.map((event, index) => ({ aggregateId, number: relayed + index + 1, event })),
    );
    const outcomes = numbered.length === 0 ? [] : await feed(numbered);
    let from = 0;
    return drained.map((one) => {
      const own = outcomes.slice(from, from + one.events.length);
      from += one.events.length;
      return leavingOf(one, own);
    });
  };

  /** The same, aggregate by aggregate if the feed rejects the whole call for one of its events: only that one's aggregate then waits. */
  const keep = async (drained: readonly Drained[], failures: unknown[]): Promise<Leaving[]> => {
    try {
      return await keepTogether(drained);
    } catch (error) {
      if (!isRejection(error)) throw error;
      const alone = drained.map(async (one) => {
        try {
          return await keepTogether([one]);
        } catch (failure) {
          if (!isRejection(failure)) throw failure;
          failures.push(failure);
          return [];
        }
      });
      return (await Promise.all(alone)).flat();
    }
  };

  const remove = async (leaving: readonly Leaving[]): Promise<void> => {
    const removals = leaving
      .filter(({ aggregate, events, relayed }) => events.length > 0 || relayed !== (aggregate.relayed ?? 0))
      // In the order of the ids, like all writes of several documents: an engine that locks them until its end then never waits in a circle.
      .toSorted((a, b) => (a.aggregate._id < b.aggregate._id ? -1 : 1))
      .map(removal);
    if (removals.length > 0) await collection.bulkWrite(removals, { ordered: false });
    for (const { events } of leaving) for (const { id } of events) published.delete(id);
  };

  /** Publishes what was written lately behind events that wait for the feed, so that these delay no one. */
  const publishRecent = async (): Promise<void> => {
    const since = new Date(newestPublished.getTime() - OVERLAP_MS);
    const recent = collection.find({ 'outbox.at': { $gt: since } }, { projection: { outbox: 1 }, limit: MAX_RECENT });
    for await (const aggregate of recent.sort({ 'outbox.at': -1 })) noteNewest(await drain(aggregate));
  };

  const noteNewest = ({ events }: Drained): void => {
    const at = events.at(-1)?.at;
    if (at !== undefined && at > newestPublished) newestPublished = at;
  };

  /** Publishes one batch. @returns whether more events may be waiting */
  const batch = async (): Promise<boolean> => {
    const waiting = await collection
      .find({ 'outbox.at': { $exists: true } }, { projection: { outbox: 1, relayed: 1 } })
      .sort({ 'outbox.at': 1 })
      .limit(BATCH)
      .toArray();
    oldest = waiting[0]?.outbox[0]?.at;
    // Concurrently: only the events of one aggregate are ordered.
    const drained = await Promise.all(waiting.map(drain));
    for (const one of drained) noteNewest(one);
    const failures: unknown[] = drained.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
    try {
      await remove(await keep(drained, failures));
    } catch (err) {
      if (feed === undefined || waiting.length < BATCH) throw err;
      await publishRecent();
      throw err;
    }
    // A failed event delays only its own aggregate.
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
