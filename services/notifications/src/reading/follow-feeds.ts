import type { Client } from '@connectrpc/connect';
import type { Event } from '@florin/proto/events/v1/event';
import type { FeedService } from '@florin/proto/events/v1/feed_service';
import { isTokenExpiry } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { pause } from '@florin/rpc/time';
import { READ_TYPES } from '../domain/kinds.ts';
import type { CursorStore } from '../store/cursors.ts';

export type FollowParts = {
  events: Pick<Client<typeof FeedService>, 'listEvents' | 'watchEvents'>;
  cursors: CursorStore;
  /** Takes over a batch of events. They are read again if it rejects. */
  take: (events: readonly Event[]) => Promise<void>;
  now: () => Date;
  logger: Logger;
  /** Silence after which a stream counts as broken; the service sends a message at least every ten seconds. */
  silenceMs?: number;
};

/** The reading of all feeds. */
export type Following = {
  /** The feed that has been silent for the longest time: milliseconds since its last message. */
  silentMs: () => number;
  close: () => Promise<void>;
};

const SILENCE_MS = 25_000;
const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5000;

const codeOf = (error: unknown): string | undefined => (error instanceof CodedError ? error.code : undefined);

/** Reads one feed, from where an earlier reading ended; the first one begins at the feed's end, because nobody waits for what was before. */
class FeedReader {
  readonly #parts: FollowParts;
  readonly #feed: string;
  readonly #signal: AbortSignal;
  #heardAt = performance.now();

  constructor(parts: FollowParts, feed: string, signal: AbortSignal) {
    this.#parts = parts;
    this.#feed = feed;
    this.#signal = signal;
  }

  silentMs(): number {
    return performance.now() - this.#heardAt;
  }

  async run(): Promise<void> {
    const { logger } = this.#parts;
    for (let waitMs = RETRY_MIN_MS; !this.#signal.aborted; waitMs = Math.min(2 * waitMs, RETRY_MAX_MS)) {
      const began = this.#heardAt;
      try {
        await this.#follow();
      } catch (err) {
        if (isTokenExpiry(err)) logger.info({ feed: this.#feed }, 'the token of the stream of events expired, resuming');
        else if (!this.#signal.aborted) logger.warn({ err, feed: this.#feed }, 'the stream of events broke, resuming');
      }
      if (this.#heardAt !== began) waitMs = RETRY_MIN_MS;
      if (!this.#signal.aborted) await pause(waitMs * (0.5 + Math.random()), undefined, { signal: this.#signal }).catch(() => undefined);
    }
  }

  /** The cursor at the end of the feed. */
  async #end(): Promise<string> {
    const { checkpoint } = await this.#parts.events.listEvents({ partnerId: this.#feed, limit: 1 }, { signal: this.#signal });
    return `${this.#feed}:${checkpoint?.sequence ?? 0n}`;
  }

  /** Where to read on after an error that says that the cursor is of no use. @throws the error if it says something else */
  async #elsewhere(error: unknown): Promise<string> {
    const code = codeOf(error);
    // Archived events are too old to be told, and a feed that was restored to an earlier state has told the rest.
    if (code !== 'EVENTS_ARCHIVED' && code !== 'CURSOR_AHEAD' && code !== 'CURSOR_INVALID') throw error;
    this.#parts.logger.error({ feed: this.#feed, code }, 'the feed cannot be read on where it was left: reading on from its end');
    return this.#end();
  }

  async #follow(): Promise<void> {
    const { cursors, now } = this.#parts;
    const cursor = await cursors.find(this.#feed);
    // Another instance may have begun meanwhile: the stored one is read on the next round.
    if (cursor === undefined) return cursors.reset(this.#feed, undefined, await this.#end(), now());
    try {
      await this.#read(cursor);
    } catch (error) {
      await cursors.reset(this.#feed, cursor, await this.#elsewhere(error), now());
    }
  }

  /** Reads one stream. The cursor moves after the events were taken over: a kill in between reads them again, and takes nothing over twice. */
  async #read(from: string): Promise<void> {
    const { events, cursors, take, now, silenceMs = SILENCE_MS } = this.#parts;
    const attempt = new AbortController();
    const stop = (): void => attempt.abort();
    this.#signal.addEventListener('abort', stop);
    this.#heardAt = performance.now();
    const watchdog = setInterval(() => {
      if (this.silentMs() > silenceMs) attempt.abort();
    }, silenceMs / 4);
    try {
      const request = { partnerId: this.#feed, after: from, types: [...READ_TYPES] };
      for await (const message of events.watchEvents(request, { signal: attempt.signal })) {
        this.#heardAt = performance.now();
        if (message.events.length === 0) continue;
        await take(message.events);
        await cursors.advance(this.#feed, message.cursor, now());
      }
    } finally {
      clearInterval(watchdog);
      this.#signal.removeEventListener('abort', stop);
    }
  }
}

/** Reads the feeds of partners until it is closed. Several instances read all of them: each delivery is added once. */
export const followFeeds = (parts: FollowParts, feeds: readonly string[]): Following => {
  const closing = new AbortController();
  const readers = feeds.map((feed) => new FeedReader(parts, feed, closing.signal));
  const running = Promise.all(readers.map((reader) => reader.run()));
  return {
    silentMs: () => Math.max(...readers.map((reader) => reader.silentMs())),
    close: async () => {
      closing.abort();
      await running;
    },
  };
};
