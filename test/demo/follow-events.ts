import assert from 'node:assert/strict';
import type { Client } from '@florin/client';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { type Checkpoint, createFeedChecker, type Event } from '@florin/webhooks';

type Print = (line: string) => void;

/** The last events of the story: once these have arrived, so has everything before them. */
const LAST = ['payment.refunded', 'payment.declined', 'card.stolen'];

const WAIT_MS = 60_000;

export type EventFollower = {
  /** Prints the events that have come since the last call. */
  show: () => void;
  /** Waits for the last events of the story, and proves that none is missing. @returns the events of the person */
  check: () => Promise<Event[]>;
  close: () => Promise<void>;
};

/** Reads all pages of a person's events. */
const readPages = async (client: Client): Promise<{ events: Event[]; checkpoint: Checkpoint | undefined }> => {
  const pages = await Array.fromAsync(client.events.listUserEvents({ limit: 20 }).pages());
  return { events: pages.flatMap(({ data }) => data as readonly Event[]), checkpoint: pages.at(-1)?.checkpoint };
};

/** Follows the events of a person as they happen. */
export const followEvents = (client: Client, print: Print): EventFollower => {
  const stop = new AbortController();
  const streamed: Event[] = [];
  let failure: unknown;
  const read = async (): Promise<void> => {
    for await (const { event, data } of client.events.watchUserEvents({}, { signal: stop.signal })) {
      if (event !== 'checkpoint') streamed.push(data as Event);
    }
  };
  const reading = read().catch((error: unknown) => {
    failure = error;
  });
  let shown = 0;
  const show = (): void => {
    for (const { sequence, type, subject } of streamed.slice(shown)) {
      print(`      · ${String(sequence).padStart(5)}  ${type.padEnd(26)}  ${subject}`);
    }
    shown = streamed.length;
  };
  /** @throws what the stream ended with, for example because the platform has no events service */
  const until = (what: string, isThere: () => boolean): Promise<true> =>
    waitFor(
      what,
      async () => {
        if (failure !== undefined) throw failure;
        return isThere() ? true : undefined;
      },
      WAIT_MS,
    );
  return {
    show,
    check: async () => {
      await until('the last events of the story', () => LAST.every((type) => streamed.some((event) => event.type === type)));
      const { events, checkpoint } = await readPages(client);
      await until('every event that a page has', () => streamed.length >= events.length);
      show();
      const checker = createFeedChecker();
      for (const event of events) assert.equal(checker.take(event), 'new', `the event ${event.sequence} is not the next one`);
      assert.deepEqual(checker.gaps(), []);
      assert(checkpoint !== undefined && checker.isComplete(checkpoint), 'the end of the feed is missing');
      assert.deepEqual(
        streamed.slice(0, events.length).map(({ id }) => id),
        events.map(({ id }) => id),
      );
      print(
        `\nEvents\n      ${events.length} by stream, and the same ones by page. Each names the one before it, and the checkpoint the last: none is missing.`,
      );
      return events;
    },
    close: async () => {
      stop.abort();
      await reading;
    },
  };
};
