import type { Logger } from '@florin/rpc/observe';
import { pause, within } from '@florin/rpc/time';
import type { Redis } from './redis.ts';

/** An entry of a Redis stream. Its id, `<milliseconds>-<sequence>`, is its position. */
export type StreamEntry = { id: string; message: Record<string, string> };

export type StreamListener = {
  /** Receives the next entries, in order. The follower continues when this resolves, and delivers them again when it rejects. */
  onEntries: (entries: readonly StreamEntry[]) => Promise<void> | void;
  /** Called whenever a read has reached the end of the stream. */
  onCaughtUp?: () => void;
  /** Called when Redis cannot be read: entries may be delayed, and lost if Redis loses its data. */
  onAway: () => void;
  /** Called when Redis can be read again. */
  onBack: () => void;
};

export type StreamFollower = {
  /** Returns the newest entries, oldest first, at most `count`. */
  newest: (count: number) => Promise<StreamEntry[]>;
  /** Reads the entries after a position to the end of the stream. @returns the position of the last one */
  readFrom: (position: string, take: (entries: readonly StreamEntry[]) => void) => Promise<string>;
  /** Starts following the stream after a position. */
  run: (position: string, listener: StreamListener) => void;
  close: () => Promise<void>;
};

/** The position before the first entry. */
export const BEGINNING = '0-0';

const parts = (position: string): [number, number] => {
  const [time = 0, sequence = 0] = position.split('-').map(Number);
  return [time, sequence];
};

/** Compares two positions: negative when `a` is before `b`, 0 when they are equal. */
export const comparePositions = (a: string, b: string): number => {
  const [timeA, sequenceA] = parts(a);
  const [timeB, sequenceB] = parts(b);
  return timeA - timeB || sequenceA - sequenceB;
};

const BATCH = 500;
const BLOCK_MS = 1000;
const RETRY_MS = 100;

/** A blocking read returns every `BLOCK_MS`, so a connection silent for longer than this is broken. */
const SILENCE_MS = 4000;

/**
 * Opens a follower of a Redis stream on a separate connection, because a blocking read delays all other commands.
 * @throws the client's error when Redis cannot be reached
 */
export const openStreamFollower = async (
  redis: Redis,
  key: string,
  { logger, silenceMs = SILENCE_MS }: { logger: Logger; silenceMs?: number },
): Promise<StreamFollower> => {
  const { socket } = redis.options ?? {};
  const client = redis.duplicate({ socket: { ...socket, socketTimeout: silenceMs } as NonNullable<typeof socket> });
  client.on('error', (err) => logger.warn({ err, stream: key }, 'redis stream'));
  await client.connect();
  let closed = false;
  let running: Promise<void> = Promise.resolve();

  /** Delivers entries until the listener accepts them. It may reject while an engine that it needs is unavailable. */
  const deliver = async (entries: readonly StreamEntry[], onEntries: StreamListener['onEntries']): Promise<void> => {
    while (!closed) {
      try {
        await onEntries(entries);
        return;
      } catch (err) {
        logger.warn({ err, stream: key }, 'processing stream entries failed, will retry');
        await pause(RETRY_MS);
      }
    }
  };

  /** Where to go on after an outage: a Redis that has lost its data, and has a clock behind, gives positions anew that were passed. */
  const afterOutage = async (position: string): Promise<string> => {
    const [newest] = (await client.xRevRange(key, '+', '-', { COUNT: 1 })) ?? [];
    return comparePositions(newest?.id ?? BEGINNING, position) < 0 ? BEGINNING : position;
  };

  const follow = async (start: string, { onEntries, onCaughtUp, onAway, onBack }: StreamListener): Promise<void> => {
    let position = start;
    let away = false;
    while (!closed) {
      try {
        if (away) position = await afterOutage(position);
        const streams = (await client.xRead({ key, id: position }, { BLOCK: BLOCK_MS, COUNT: BATCH })) as
          | { messages: StreamEntry[] }[]
          | null;
        if (away) {
          away = false;
          onBack();
        }
        const entries = streams?.[0]?.messages ?? [];
        const last = entries.at(-1);
        if (last !== undefined) {
          await deliver(entries, onEntries);
          position = last.id;
        }
        if (entries.length < BATCH) onCaughtUp?.();
      } catch (err) {
        if (closed) return;
        if (!away) {
          away = true;
          logger.warn({ err, stream: key }, 'reading the stream failed');
          onAway();
        }
        await pause(RETRY_MS);
      }
    }
  };

  return {
    newest: async (count) => (((await client.xRevRange(key, '+', '-', { COUNT: count })) ?? []) as StreamEntry[]).reverse(),
    readFrom: async (start, take) => {
      for (let position = start; ; ) {
        const entries = ((await client.xRange(key, `(${position}`, '+', { COUNT: BATCH })) ?? []) as StreamEntry[];
        take(entries);
        position = entries.at(-1)?.id ?? position;
        if (entries.length < BATCH) return position;
      }
    },
    run: (position, listener) => {
      running = follow(position, listener);
    },
    close: async () => {
      closed = true;
      client.destroy();
      // A read that is interrupted while the client reconnects may never settle.
      await within(2 * BLOCK_MS, running).catch(() => undefined);
    },
  };
};
