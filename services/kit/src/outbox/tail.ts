import type { Logger } from '../observe/index.ts';
import type { Redis } from '../redis/index.ts';
import { pause } from '../time/index.ts';
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

const BATCH = 500;
const BLOCK_MS = 1000;
const RETRY_MS = 100;

/** The connection hears something every `BLOCK_MS`; one that does not is broken, whatever TCP thinks. */
const SILENCE_MS = 4000;

/** Before every event. */
export const BEGINNING = '0-0';

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

type Entry = { id: string; message: Record<string, string> };

/** Entries that are none of ours are left out. */
const toEvents = (entries: readonly Entry[]): StreamEvent[] =>
  entries.flatMap(({ id: position, message }) => {
    const { id, type, aggregateId, at, payload } = message;
    if (id === undefined || type === undefined || aggregateId === undefined || at === undefined || payload === undefined) return [];
    return [{ position, aggregateId, event: { id, type, at: new Date(at), payload: JSON.parse(payload) as OutboxEvent['payload'] } }];
  });

/**
 * Follows a service's events from now on, on a connection of its own: a blocking read would hold up everything else. Each event is
 * handed over at least once; twins (two relays, a kill between publishing and noting it) have the same event id.
 * @throws when Redis cannot be reached at the start
 */
export const openStreamTail = async (
  redis: Redis,
  service: string,
  { logger, history }: { logger: Logger; history: number },
): Promise<StreamTail> => {
  const key = streamOf(service);
  const { socket } = redis.options ?? {};
  const client = redis.duplicate({ socket: { ...socket, socketTimeout: SILENCE_MS } as NonNullable<typeof socket> });
  client.on('error', (err) => logger.warn({ err }, 'redis event stream'));
  await client.connect();
  const newest = ((await client.xRevRange(key, '+', '-', { COUNT: history })) ?? []) as Entry[];
  const start = newest[0]?.id ?? BEGINNING;
  let closed = false;
  let running: Promise<void> = Promise.resolve();

  const follow = async ({ onEvents, onAway, onBack }: TailListener): Promise<void> => {
    let position = start;
    let away = false;
    while (!closed) {
      try {
        const streams = (await client.xRead({ key, id: position }, { BLOCK: BLOCK_MS, COUNT: BATCH })) as { messages: Entry[] }[] | null;
        if (away) {
          away = false;
          onBack();
        }
        const entries = streams?.[0]?.messages ?? [];
        const last = entries.at(-1);
        if (last === undefined) continue;
        await deliver(toEvents(entries), onEvents);
        position = last.id;
      } catch (err) {
        if (closed) return;
        if (!away) {
          away = true;
          logger.warn({ err }, 'event stream cannot be read');
          onAway();
        }
        await pause(RETRY_MS);
      }
    }
  };

  /** Until they are taken: what listens has engines of its own that may be away. */
  const deliver = async (events: readonly StreamEvent[], onEvents: TailListener['onEvents']): Promise<void> => {
    while (!closed) {
      try {
        await onEvents(events);
        return;
      } catch (err) {
        logger.warn({ err }, 'events were not taken, will be repeated');
        await pause(RETRY_MS);
      }
    }
  };

  return {
    recent: toEvents(newest.reverse()),
    position: start,
    run: (listener) => {
      running = follow(listener);
    },
    close: async () => {
      closed = true;
      client.destroy();
      await running;
    },
  };
};
