import { expect, it } from 'vitest';
import type { BlockStore } from '../journal/ports.ts';
import { endOf } from './archived.ts';
import { BLOCKS_PER_QUERY, entriesForwards } from './entries-forwards.ts';

const NEVER_MS = 3_600_000;

/** A journal of so many blocks without entries. */
const journalOf = (count: number): Pick<BlockStore, 'after' | 'last'> => ({
  last: async () => count,
  after: async function* (_shard, after) {
    for (let n = after + 1; n <= count; n += 1) yield { n, at: new Date(), body: '' } as never;
  },
});

it.each([0, 1, BLOCKS_PER_QUERY - 1, BLOCKS_PER_QUERY, BLOCKS_PER_QUERY + 1, 2 * BLOCKS_PER_QUERY])(
  'tells a reader that it is current without a heartbeat: after %i blocks, and at the end',
  async (count) => {
    const end = new AbortController();
    for (const after of [0, endOf(count)]) {
      const batches = entriesForwards(journalOf(count), {
        shard: '0',
        after: count === 0 ? 0 : after,
        wanted: () => true,
        signal: end.signal,
        pollMs: NEVER_MS,
        heartbeatMs: NEVER_MS,
        findArchive: async () => undefined,
      });
      const position = count === 0 ? 0 : endOf(count);
      expect(await batches.next()).toEqual({ done: false, value: { entries: [], position, caughtUp: true } });
    }
    end.abort();
  },
);
