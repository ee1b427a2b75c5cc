import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Model, mongo } from 'mongoose';
import { rawCollection } from '../store/index.ts';
import type { OutboxEvent } from './event.ts';
import type { AppendToFeed } from './feed.ts';
import { type Aggregate, type Leaving, leavingOf, removal } from './leaving.ts';
import { RejectedAggregates } from './rejected.ts';

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

/** While the feed rejects events, a round looks at all documents no more often than this, in milliseconds, and otherwise at those that were written lately. */
const LOOK_MS = 5000;

/** Pause before a round that was kicked during another one, which forms larger batches under load: a round costs two commands of the engine. */
const GATHER_MS = 20;

/** Recent writes begin so long before the newest published event, because events are not written in the exact order of their times. */
const OVERLAP_MS = 60_000;
/** Documents that a round looks at beside its batch while the feed is away, at most. */
const MAX_RECENT = 1000;

/** Codes with which the feed rejects an event for what it is. */
const REJECTIONS: ReadonlySet<string> = new Set(['EVENT_TYPE_UNKNOWN', 'FORBIDDEN', 'VALIDATION_FAILED'] satisfies ErrorCode[]);

const isRejection = (error: unknown): boolean => error instanceof CodedError && REJECTIONS.has(error.code);

/** Most published events that are remembered while they wait for the feed, so that they are not published again with every try. */
const MAX_PUBLISHED = 100_000;

/** An aggregate with the events at the front of its outbox that were published, and why the next one was not. */
type Drained = { aggregate: Aggregate; events: OutboxEvent[]; failure?: unknown };

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
  const rejected = new RejectedAggregates();
  let lookedAt = Number.NEGATIVE_INFINITY;

  // Events are read and removed as they are stored: casting them costs more than the commands.
  const collection = rawCollection(model as Model<Aggregate>);

  /** Appends what was published to the feed. @returns what may leave */
  const keepTogether = async (drained: readonly Drained[]): Promise<Leaving[]> => {
    if (feed === undefined) return drained.map(({ aggregate, events }) => leavingOf(aggregate, events, []));
    const numbered = drained.flatMap(({ aggregate: { _id: aggregateId, relayed = 0 }, events }) =>
      events.map((event, index) => ({ aggregateId, number: relayed + index + 1, event })),
    );
    const outcomes = numbered.length === 0 ? [] : await feed(numbered);
    let from = 0;
    return drained.map(({ aggregate, events }) => {
      const own = outcomes.slice(from, from + events.length);
      from += events.length;
      return leavingOf(aggregate, events, own);
    });
  };

  /** The same, aggregate by aggregate if the feed rejects the whole call for one of its events: only that one's aggregate then waits. */
  const keep = async (drained: readonly Drained[]): Promise<Leaving[]> => {
    try {
      return await keepTogether(drained);
    } catch (error) {
      if (!isRejection(error)) throw error;
      const alone = drained.map(async (one) => {
        try {
          return await keepTogether([one]);
        } catch (err) {
          if (!isRejection(err)) throw err;
          rejected.postpone(one.aggregate._id);
          logger.error({ err, aggregateId: one.aggregate._id }, 'the feed rejects an event, will retry');
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
    for (const { aggregate, events } of leaving) {
      rejected.forget(aggregate._id);
      for (const { id } of events) published.delete(id);
    }
  };

  const noteNewest = ({ events }: Drained): void => {
    const at = events.at(-1)?.at;
    if (at !== undefined && at > newestPublished) newestPublished = at;
  };

  /** The documents with waiting events that were written lately. A clock that was ahead hides none for longer than it was. */
  const lately = () => ({ 'outbox.at': { $gt: new Date(Math.min(newestPublished.getTime(), Date.now()) - OVERLAP_MS) } });

  /** Publishes what was written lately behind events that wait for the feed, so that these delay no one. */
  const publishRecent = async (): Promise<void> => {
    const recent = collection.find(lately(), { projection: { outbox: 1 }, limit: MAX_RECENT });
    for await (const aggregate of recent.sort({ 'outbox.at': -1 })) noteNewest(await drain(aggregate));
  };

  /** Publishes one batch. @returns those of which events stay */
  const relay = async (waiting: readonly Aggregate[]): Promise<Drained[]> => {
    // Concurrently: only the events of one aggregate are ordered.
    const drained = await Promise.all(waiting.map(drain));
    for (const one of drained) noteNewest(one);
    try {
      await remove(await keep(drained.filter(({ aggregate }) => rejected.mayOffer(aggregate._id))));
    } catch (err) {
      if (feed !== undefined && waiting.length === BATCH) await publishRecent();
      throw err;
    }
    for (const { failure } of drained) if (failure !== undefined) logger.warn({ err: failure }, 'publishing an event failed, will retry');
    return drained.filter(({ aggregate, failure }) => failure !== undefined || rejected.has(aggregate._id));
  };

  /** The documents that match, the oldest event first, in batches. */
  const batches = async function* (filter: mongo.Filter<Aggregate>): AsyncGenerator<Aggregate[]> {
    let batch: Aggregate[] = [];
    const found = collection.find(filter, { projection: { outbox: 1, relayed: 1 }, batchSize: BATCH });
    for await (const aggregate of found.sort({ 'outbox.at': 1 })) {
      batch.push(aggregate);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  };

  const round = async (closed: () => boolean): Promise<void> => {
    const isFull = rejected.size === 0 || performance.now() - lookedAt >= LOOK_MS;
    if (isFull) lookedAt = performance.now();
    const found = new Set<string>();
    let stuck = isFull ? undefined : oldest;
    for await (const batch of batches(isFull ? { 'outbox.at': { $exists: true } } : lately())) {
      oldest = stuck ?? batch[0]?.outbox[0]?.at;
      const staying = await relay(batch);
      for (const { aggregate } of staying) found.add(aggregate._id);
      stuck ??= staying[0]?.aggregate.outbox[0]?.at;
      oldest = stuck;
      // An event that cannot be published delays only its own aggregate. If none of a batch can, none of the next one can either.
      const isAway = staying.length === batch.length && staying.every(({ failure }) => failure !== undefined);
      if (isAway || closed()) return;
    }
    oldest = stuck;
    if (isFull) rejected.keepOnly(found);
  };

  const rounds = startRounds({ round, intervalMs, gatherMs: GATHER_MS, logger, failed: 'outbox round failed, will retry' });
  return { ...rounds, oldest: () => oldest };
};
