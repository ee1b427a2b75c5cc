import { CodedError } from '@florin/rpc/errors';
import { pause } from '@florin/rpc/time';
import { EMPTY, type Head, headAfter, nextBlock } from '../domain/feed-block.ts';
import { type FeedEvent, keyOf } from '../domain/feed-event.ts';
import type { BlockStore, Place } from '../store/blocks.ts';

/** The outcome of an event; `taken` when another event has its number, with the first number after it that is free. */
export type Appended = { outcome: 'appended' | 'exists'; sequence: number } | { outcome: 'taken'; nextSubjectSequence: number };

/** Appends events to a feed. Resolves once they are durable, with one outcome per event, in their order. */
export type AppendToFeed = (feed: string, events: readonly FeedEvent[]) => Promise<Appended[]>;

type Options = {
  blocks: Pick<BlockStore, 'insert' | 'newest' | 'findKeys'>;
  now: () => Date;
  /** Called when a feed has grown. */
  grown: (feed: string, events: readonly FeedEvent[]) => void;
};

type Waiting = { events: readonly FeedEvent[]; resolve: (outcomes: Appended[]) => void; reject: (error: unknown) => void };

/** Events of a block, except for a single request that has more. */
const MAX_EVENTS = 256;

/** Requests that wait for the next block of a feed. */
const MAX_WAITING = 1000;

/** Consecutive lost races. */
const MAX_TRIES = 100;
const MAX_PAUSE_MS = 5;

/** Numbers that one query looks at for a free one. */
const PROBES = 100;

/**
 * Creates the appender of all feeds. The number of a block is the lock: of two appenders, in this process or another, one inserts block n and the
 * other one reads it and tries n + 1. Twins are found before each try among all blocks up to n, so an event that is appended twice
 * would need a block between that the insert would have met. Requests that arrive during an insert become the next block together.
 */
export const createFeedAppender = ({ blocks, now, grown }: Options): AppendToFeed => {
  const queues = new Map<string, Waiting[]>();

  const firstFree = async (subject: string, after: number): Promise<number> => {
    for (let from = after + 1; ; from += PROBES) {
      const numbers = Array.from({ length: PROBES }, (_, index) => from + index);
      const taken = await blocks.findKeys(numbers.map((subjectSequence) => keyOf({ subject, subjectSequence })));
      const free = numbers.find((subjectSequence) => !taken.has(keyOf({ subject, subjectSequence })));
      if (free !== undefined) return free;
    }
  };

  /** Decides what is new: later events of a subject whose number is taken wait with it, to stay in order. */
  const judge = async (events: readonly FeedEvent[], head: Head) => {
    const known: Map<string, Place> = await blocks.findKeys(
      events.flatMap((event) => [keyOf(event), ...(event.formerKey === undefined ? [] : [event.formerKey])]),
    );
    const fresh: FeedEvent[] = [];
    const blocked = new Map<string, number>();
    const outcomes: Appended[] = [];
    for (const event of events) {
      const { id, subject, subjectSequence } = event;
      const former = event.formerKey === undefined ? undefined : known.get(event.formerKey);
      // Another event has the former key since, if it is one that other events use now.
      const place = former?.id === id ? former : known.get(keyOf(event));
      if (place !== undefined && place.id !== id && !blocked.has(subject)) {
        blocked.set(subject, (await firstFree(subject, subjectSequence)) - subjectSequence);
      }
      const shift = blocked.get(subject);
      if (shift !== undefined) outcomes.push({ outcome: 'taken', nextSubjectSequence: subjectSequence + shift });
      else if (place !== undefined) outcomes.push({ outcome: 'exists', sequence: place.sequence });
      else {
        fresh.push(event);
        const sequence = head.last + fresh.length;
        known.set(keyOf(event), { id, sequence });
        outcomes.push({ outcome: 'appended', sequence });
      }
    }
    return { fresh, outcomes };
  };

  const heads = new Map<string, Head>();

  /** @returns the outcomes; undefined if another appender was faster */
  const tryOnce = async (feed: string, events: readonly FeedEvent[]): Promise<Appended[] | undefined> => {
    const known = heads.get(feed);
    // Known again only after an insert: one that failed may have succeeded even so.
    heads.delete(feed);
    const newest = known === undefined ? await blocks.newest(feed) : undefined;
    const head = known ?? (newest === undefined ? EMPTY : headAfter(newest));
    const { fresh, outcomes } = await judge(events, head);
    if (fresh.length === 0) return outcomes;
    const block = nextBlock(feed, head, fresh, now());
    if (!(await blocks.insert(block))) return undefined;
    heads.set(feed, headAfter(block));
    grown(feed, fresh);
    return outcomes;
  };

  const appendAll = async (feed: string, events: readonly FeedEvent[]): Promise<Appended[]> => {
    for (let lost = 0; lost < MAX_TRIES; lost += 1) {
      const outcomes = await tryOnce(feed, events);
      if (outcomes !== undefined) return outcomes;
      await pause(Math.random() * MAX_PAUSE_MS);
    }
    throw new Error(`appending to a feed lost ${MAX_TRIES} races`);
  };

  /** Takes the requests at the front that fit a block, at least one. */
  const takeBatch = (queue: Waiting[]): Waiting[] => {
    let size = 0;
    let end = 0;
    for (const { events } of queue) {
      size += events.length;
      if (end > 0 && size > MAX_EVENTS) break;
      end += 1;
    }
    return queue.splice(0, end);
  };

  const run = async (feed: string, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) {
      const batch = takeBatch(queue);
      try {
        const outcomes = await appendAll(
          feed,
          batch.flatMap(({ events }) => events),
        );
        let from = 0;
        for (const { events, resolve } of batch) {
          resolve(outcomes.slice(from, from + events.length));
          from += events.length;
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queues.delete(feed);
  };

  return (feed, events) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(feed);
      const waiting = { events, resolve, reject };
      if (queue !== undefined) {
        if (queue.length < MAX_WAITING) queue.push(waiting);
        else reject(new CodedError('SERVICE_UNAVAILABLE', { message: 'too many events wait to be appended' }));
        return;
      }
      const started = [waiting];
      queues.set(feed, started);
      // Calls of the same turn are appended together.
      queueMicrotask(() => void run(feed, started));
    });
};
