import { EVENT_TYPES, type EventTypeName, isEventType } from '@florin/proto/events/v1/event-types';
import type { FeedEvent } from './feed-event.ts';

/** Sequence of the last event of each type, by the number of the type. Types without an event are absent. */
export type LastOfTypes = Readonly<Record<string, number>>;

/** An event as feeds hold it. Its type may be one of a later release, which this one knows by its name and number only. */
export type KeptEvent = Omit<FeedEvent, 'type' | 'formerKey'> & { type: string };

/** A block of a feed. Blocks are appended and never changed; their numbers and the sequences of their events have no gap. */
export type FeedBlock = {
  feed: string;
  /** Number of the block, from 1. */
  n: number;
  /** Sequence of its first event. */
  first: number;
  /** Sequence of its last event. */
  last: number;
  at: Date;
  /** The ends of the blocks before it, so that a reader of any types can tell from this block alone which event precedes its first. */
  before: LastOfTypes;
  /** At least one. */
  events: readonly (KeptEvent & { typeNumber: number })[];
};

/** The end of a feed. */
export type Head = { n: number; last: number; lastOf: LastOfTypes };

/** The end of a feed without events. */
export const EMPTY: Head = { n: 0, last: 0, lastOf: {} };

/** A set of types. Undefined lets every type through. */
export type TypeFilter = ReadonlySet<EventTypeName> | undefined;

/** An event in its place, as one reader sees it. */
export type PlacedEvent = KeptEvent & { sequence: number; previousSequence: number };

const numberOf = (type: EventTypeName): number => EVENT_TYPES[type].number;

/** An event as blocks hold it. Those that were written before blocks had the numbers of types have none; all their types are known. */
export type UnnumberedEvent = KeptEvent & { typeNumber?: number };

/** The event with the number of its type. @throws Error for a type without a number that this release does not know */
export const numbered = ({ typeNumber, ...event }: UnnumberedEvent): FeedBlock['events'][number] => {
  if (typeNumber !== undefined) return { ...event, typeNumber };
  if (isEventType(event.type)) return { ...event, typeNumber: numberOf(event.type) };
  throw new Error(`the event ${event.id} has no number of its type`);
};

/** Reports whether a filter lets a type through. One that this release does not know passes no filter but the one that lets everything through. */
export const passes = (filter: TypeFilter, type: string): boolean => filter === undefined || (isEventType(type) && filter.has(type));

/** The feed's end after a block. */
export const headAfter = ({ n, first, last, before, events }: FeedBlock): Head => {
  const lastOf: Record<string, number> = { ...before };
  for (const [index, { typeNumber }] of events.entries()) lastOf[typeNumber] = first + index;
  return { n, last, lastOf };
};

/** The block that follows on a feed's end. */
export const nextBlock = (feed: string, head: Head, events: readonly FeedEvent[], at: Date): FeedBlock => ({
  feed,
  n: head.n + 1,
  first: head.last + 1,
  last: head.last + events.length,
  at,
  before: head.lastOf,
  events: events.map(({ formerKey: _formerKey, ...event }) => ({ ...event, typeNumber: numberOf(event.type) })),
});

/** Sequence of the last event that a filter lets through; 0 if there is none. */
export const lastThrough = (lastOf: LastOfTypes, filter: TypeFilter): number =>
  filter === undefined ? Math.max(0, ...Object.values(lastOf)) : Math.max(0, ...[...filter].map((type) => lastOf[numberOf(type)] ?? 0));

/** The events of a block that a filter lets through, in their places. */
export const eventsThrough = function* ({ first, before, events }: FeedBlock, filter: TypeFilter): Generator<PlacedEvent> {
  let previousSequence = lastThrough(before, filter);
  for (const [index, event] of events.entries()) {
    if (!passes(filter, event.type)) continue;
    const sequence = first + index;
    const { typeNumber: _typeNumber, ...kept } = event;
    yield { ...kept, sequence, previousSequence };
    previousSequence = sequence;
  }
};

/** The event in one place of a block, as a reader sees it, whether or not the filter lets it through. */
export const eventAt = ({ first, before, events }: FeedBlock, sequence: number, filter: TypeFilter): PlacedEvent | undefined => {
  const found = events[sequence - first];
  if (found === undefined) return undefined;
  const { typeNumber: _typeNumber, ...event } = found;
  const earlier = events.slice(0, sequence - first).findLastIndex(({ type }) => passes(filter, type));
  return { ...event, sequence, previousSequence: earlier < 0 ? lastThrough(before, filter) : first + earlier };
};
