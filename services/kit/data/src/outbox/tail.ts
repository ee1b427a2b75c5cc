import type { Logger } from '@florin/rpc/observe';
import { BEGINNING, openStreamFollower, type Redis, type StreamEntry } from '../redis/index.ts';
import type { OutboxEvent } from './event.ts';
import { streamOf } from './publisher.ts';

/** An event as it stands in a service's stream. */
export type StreamEvent = {
  /** Redis stream id, `<milliseconds>-<sequence>`: where it stands. */
  position: string;
  aggregateId: string;
  event: OutboxEvent;
};

export type StreamTail = {
  /** What stood in the stream at the start, oldest first, at most `history`. */
  recent: readonly StreamEvent[];
  /** Where it started. */
  position: string;
  /** Begins to read. */
  run: (listener: TailListener) => void;
  close: () => Promise<void>;
};

export type TailListener = {
  /** The next events, in order. The tail goes on once this resolved, and hands them over again when it rejects. */
  onEvents: (events: readonly StreamEvent[]) => Promise<void>;
  /** Redis cannot be read: from here on events may be late, and some may be lost with it. */
  onAway: () => void;
  onBack: () => void;
};

const parts = (position: string): [number, number] => {
  const [time = 0, sequence = 0] = position.split('-').map(Number);
  return [time, sequence];
};

/** Negative when `a` stands before `b`, 0 when they are the same. */
export const comparePositions = (a: string, b: string): number => {
  const [timeA, sequenceA] = parts(a);
  const [timeB, sequenceB] = parts(b);
  return timeA - timeB || sequenceA - sequenceB;
};

/** Entries that are none of ours are left out. */
const toEvents = (entries: readonly StreamEntry[]): StreamEvent[] =>
  entries.flatMap(({ id: position, message }) => {
    const { id, type, aggregateId, at, payload } = message;
    if (id === undefined || type === undefined || aggregateId === undefined || at === undefined || payload === undefined) return [];
    return [{ position, aggregateId, event: { id, type, at: new Date(at), payload: JSON.parse(payload) as OutboxEvent['payload'] } }];
  });

/**
 * Follows a service's events from now on. Each event is handed over at least once; twins (two relays, a kill between publishing and
 * noting it) have the same event id.
 * @throws when Redis cannot be reached at the start
 */
export const openStreamTail = async (
  redis: Redis,
  service: string,
  { logger, history }: { logger: Logger; history: number },
): Promise<StreamTail> => {
  const follower = await openStreamFollower(redis, streamOf(service), { logger });
  const newest = await follower.newest(history);
  const position = newest.at(-1)?.id ?? BEGINNING;
  return {
    recent: toEvents(newest),
    position,
    run: ({ onEvents, onAway, onBack }) => {
      follower.run(position, { onEntries: (entries) => onEvents(toEvents(entries)), onAway, onBack });
    },
    close: follower.close,
  };
};
