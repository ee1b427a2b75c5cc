import assert from 'node:assert/strict';
import { type EventStream, openEventStream } from '@florin/rpc/testing/event-stream';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { type Checkpoint, createFeedChecker, type Event } from '@florin/webhooks';
import type { ApiClient } from '../support/api-client.ts';

type Print = (line: string) => void;
type Page = { data: Event[]; cursor: string; hasMore: boolean; checkpoint: Checkpoint };

/** What the story ends with: once these are there, so is everything before them. */
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
const readPages = async (api: ApiClient, token: string): Promise<{ events: Event[]; checkpoint: Checkpoint }> => {
  const events: Event[] = [];
  for (let after = ''; ; ) {
    const page = await api.call<Page>('GET', `/user/events?limit=20${after === '' ? '' : `&after=${after}`}`, { token });
    events.push(...page.data);
    if (!page.hasMore) return { events, checkpoint: page.checkpoint };
    after = encodeURIComponent(page.cursor);
  }
};

const isEvent = ({ event }: { event: string }): boolean => event !== 'checkpoint' && event !== 'end';

/** Follows the events of a person as they happen. @throws AssertionError if the platform has no events service */
export const followEvents = async (url: string, api: ApiClient, token: string, print: Print): Promise<EventFollower> => {
  const stream: EventStream = await openEventStream(`${url}/user/events/stream`, token);
  assert.equal(stream.status, 200, `the events cannot be read: ${JSON.stringify(stream.body)}`);
  let shown = 0;
  const show = (): void => {
    const events = stream.events.filter(isEvent);
    for (const { data } of events.slice(shown)) {
      const { sequence, type, subject } = data as Event;
      print(`      · ${String(sequence).padStart(5)}  ${type.padEnd(26)}  ${subject}`);
    }
    shown = events.length;
  };
  return {
    show,
    check: async () => {
      await waitFor(
        'the last events of the story',
        async () => (LAST.every((type) => stream.events.some(({ event }) => event === type)) ? true : undefined),
        WAIT_MS,
      );
      const { events, checkpoint } = await readPages(api, token);
      await waitFor(
        'every event that a page has',
        async () => (stream.events.filter(isEvent).length >= events.length ? true : undefined),
        WAIT_MS,
      );
      show();
      const checker = createFeedChecker();
      for (const event of events) assert.equal(checker.take(event), 'new', `the event ${event.sequence} is not the next one`);
      assert.deepEqual(checker.gaps(), []);
      assert(checker.isComplete(checkpoint), 'the end of the feed is missing');
      const streamed = stream.events.filter(isEvent).map(({ data }) => (data as Event).id);
      assert.deepEqual(
        streamed.slice(0, events.length),
        events.map(({ id }) => id),
      );
      print(
        `\nEvents\n      ${events.length} by stream, and the same ones by page. Each names the one before it, and the checkpoint the last: none is missing.`,
      );
      return events;
    },
    close: stream.close,
  };
};
