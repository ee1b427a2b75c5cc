import { waitFor } from '@florin/rpc/testing/wait-for';
import { pause } from '@florin/rpc/time';
import { type Checkpoint, createFeedChecker, type Event, type FeedState } from '@florin/webhooks';
import { misnumberedOf, missingOf } from './acknowledged-events.ts';
import type { Life } from './life.ts';
import { createPersistentClient } from './persistent-client.ts';

type Page = { data: Event[]; cursor: string; hasMore: boolean; checkpoint: Checkpoint };

const PAUSE_MS = 200;

/** Everything acknowledged has left its outbox by then, also on a machine with other work. */
const SETTLE_MS = 90_000;

/**
 * A server of the partner: reads the feed over REST while processes are killed, and forgets everything but its state after each page, as if it
 * were killed itself.
 */
export const readFeed = (url: string, tokenOf: () => Promise<string>) => {
  const api = createPersistentClient(url);
  const events: Event[] = [];
  const problems: string[] = [];
  const stop = new AbortController();
  let state: FeedState = { completeTo: 0, ahead: [] };
  let cursor = '';

  const readPage = async (): Promise<Page> => {
    const after = cursor === '' ? '' : `&after=${encodeURIComponent(cursor)}`;
    const page = await api.call<Page>('GET', `/events?limit=50${after}`, { token: await tokenOf() });
    const checker = createFeedChecker({ state });
    for (const event of page.data) {
      const taken = checker.take(event);
      if (taken !== 'new') problems.push(`the event ${event.sequence} is ${taken}`);
      events.push(event);
    }
    if (checker.gaps().length > 0) problems.push(`events are missing: ${JSON.stringify(checker.gaps())}`);
    if (!page.hasMore && page.checkpoint.sequence === checker.completeTo() && !checker.isComplete(page.checkpoint))
      problems.push('the end is missing');
    state = JSON.parse(JSON.stringify(checker.state())) as FeedState;
    ({ cursor } = page);
    return page;
  };

  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) if (!(await readPage()).hasMore) await pause(PAUSE_MS);
  };
  const reading = loop().catch((error: unknown) => void problems.push(`reading the feed failed: ${String(error)}`));

  return {
    /** Reads until everything that was acknowledged is there. @returns how much was read, and everything that is wrong */
    finish: async (lives: readonly Life[]): Promise<{ events: number; problems: string[] }> => {
      await waitFor(
        'everything that was acknowledged',
        async () => (missingOf(events, lives).length === 0 ? true : undefined),
        SETTLE_MS,
      ).catch(() => undefined);
      stop.abort();
      await reading;
      const { checkpoint } = await readPage();
      if (!createFeedChecker({ state }).isComplete(checkpoint)) problems.push('the end of the feed is missing');
      return {
        events: events.length,
        problems: [...problems, ...missingOf(events, lives).map((name) => `missing or doubled: ${name}`), ...misnumberedOf(events)],
      };
    },
  };
};
