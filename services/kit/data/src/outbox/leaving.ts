import type { mongo } from 'mongoose';
import type { OutboxEvent, Outboxed } from './event.ts';
import type { FeedOutcome } from './feed.ts';

export type Aggregate = Outboxed & { _id: string };

/** An aggregate, the events that leave its outbox, and its count of events that have left. */
export type Leaving = { aggregate: Aggregate; events: readonly OutboxEvent[]; relayed: number };

/** Removes the published events of an aggregate up to the first that the feed has not kept. */
export const leavingOf = (aggregate: Aggregate, events: readonly OutboxEvent[], outcomes: readonly FeedOutcome[]): Leaving => {
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
export const removal = ({ aggregate: { _id, relayed: before }, events, relayed }: Leaving): mongo.AnyBulkWriteOperation<Aggregate> => ({
  updateOne: {
    filter: { _id, relayed: before ?? { $exists: false } },
    update: { $set: { relayed }, $pull: { outbox: { id: { $in: events.map(({ id }) => id) } } } },
  },
});
