import type { Logger } from '@florin/rpc/observe';
import { BEGINNING, openStreamFollower, type Redis, type StreamEntry } from '../redis/index.ts';
import type { OutboxEvent } from './event.ts';
import { streamOf } from './publisher.ts';

/** An event in a service's stream. */
export type StreamEvent = {
  /** Redis stream id, `<milliseconds>-<sequence>`. */
  position: string;
  aggregateId: string;
  event: OutboxEvent;
};

export type StreamTail = {
  /** The newest events at the start, oldest first, at most `history`. */
  recent: readonly StreamEvent[];
  /** Position of the newest event at the start. */
  position: string;
  /** Starts reading after `position`. */
  run: (listener: TailListener) => void;
  close: () => Promise<void>;
};

export type TailListener = {
  /** Receives the next events, in order. The tail continues when this resolves, and delivers them again when it rejects. */
  onEvents: (events: readonly StreamEvent[]) => Promise<void>;
  /** Called when Redis cannot be read: events may be delayed, and lost if Redis loses its data. */
  onAway: () => void;
  /** Called when Redis can be read again. */
  onBack: () => void;
};

/** Converts stream entries to events. Entries that lack a field of an event are skipped. */
const toEvents = (entries: readonly StreamEntry[]): StreamEvent[] =>
  entries.flatMap(({ id: position, message }) => {
    const { id, type, aggregateId, at, payload } = message;
    if (id === undefined || type === undefined || aggregateId === undefined || at === undefined || payload === undefined) return [];
    return [{ position, aggregateId, event: { id, type, at: new Date(at), payload: JSON.parse(payload) as OutboxEvent['payload'] } }];
  });

/**
 * Follows a service's events from now on. Each event is delivered at least once; duplicates (from two relays, or a kill between publishing
 * and removing an event) have the same event id.
 * @throws the client's error when Redis cannot be reached
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
