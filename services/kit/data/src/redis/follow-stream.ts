import type { Logger } from '@florin/rpc/observe';
import { pause, within } from '@florin/rpc/time';
import type { Redis } from './redis.ts';

/** An entry of a Redis stream; its id is where it stands, `<milliseconds>-<sequence>`. */
export type StreamEntry = { id: string; message: Record<string, string> };

export type StreamListener = {
  /** The next entries, in order. The follower goes on once this resolved, and hands them over again when it rejects. */
  onEntries: (entries: readonly StreamEntry[]) => Promise<void> | void;
  /** Whenever Redis has answered and nothing more stood in the stream. */
  onCaughtUp?: () => void;
  /** Redis cannot be read: from here on entries may be late, and some may be lost with it. */
  onAway: () => void;
  onBack: () => void;
};

export type StreamFollower = {
  /** The newest entries, oldest first, at most `count`. */
  newest: (count: number) => Promise<StreamEntry[]>;
  /** Reads to the end of the stream what stands behind a position. @returns where it ended */
  readFrom: (position: string, take: (entries: readonly StreamEntry[]) => void) => Promise<string>;
  /** Begins to read what stands behind a position. */
  run: (position: string, listener: StreamListener) => void;
  close: () => Promise<void>;
};

/** Before every entry. */
export const BEGINNING = '0-0';

const BATCH = 500;
const BLOCK_MS = 1000;
const RETRY_MS = 100;

/** The connection hears something every `BLOCK_MS`; one that does not is broken, whatever TCP thinks. */
const SILENCE_MS = 4000;

/**
 * Follows a Redis stream on a connection of its own: a blocking read would hold up everything else.
 * @throws when Redis cannot be reached at the start
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

  /** Until they are taken: what listens has engines of its own that may be away. */
  const deliver = async (entries: readonly StreamEntry[], onEntries: StreamListener['onEntries']): Promise<void> => {
    while (!closed) {
      try {
        await onEntries(entries);
        return;
      } catch (err) {
        logger.warn({ err, stream: key }, 'stream entries were not taken, will be repeated');
        await pause(RETRY_MS);
      }
    }
  };

  const follow = async (start: string, { onEntries, onCaughtUp, onAway, onBack }: StreamListener): Promise<void> => {
    let position = start;
    let away = false;
    while (!closed) {
      try {
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
          logger.warn({ err, stream: key }, 'stream cannot be read');
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
      // A read that is cut off while the client reconnects may never settle: nobody waits for it.
      await within(2 * BLOCK_MS, running).catch(() => undefined);
    },
  };
};
