import { expect, it } from 'vitest';
import type { Block } from '../domain/block.ts';
import { positionOf } from '../domain/position.ts';
import type { BlockStore } from '../journal/ports.ts';
import { endOf } from './archived.ts';
import { BLOCKS_PER_QUERY, entriesForwards } from './entries-forwards.ts';

const NEVER_MS = 3_600_000;

/** Block n of a journal that was restored after block `forked`, and of one that never was. */
const blockOf = (n: number, forked = Number.POSITIVE_INFINITY): Block => {
  const hashOf = (m: number): string => `${m}${m > forked ? ' of the fork' : ''}`;
  return { shard: '0', n, epoch: 1, hash: hashOf(n), prevHash: hashOf(n - 1), at: new Date(), body: '' };
};

/** A journal of so many blocks without entries. @param archived number of the last block that was archived */
const journalOf = (count: number, { forked, archived = 0 }: { forked?: number; archived?: number } = {}) => {
  const blocks: Pick<BlockStore, 'after' | 'find' | 'last'> = {
    last: async () => count,
    find: async (_shard, n) => (n > archived && n <= count ? blockOf(n, forked) : undefined),
    after: async function* (_shard, after) {
      for (let n = Math.max(after, archived) + 1; n <= count; n += 1) yield blockOf(n, forked);
    },
  };
  return blocks;
};

const SETTINGS = { shard: '0', wanted: () => true, pollMs: NEVER_MS, heartbeatMs: NEVER_MS, findArchive: async () => undefined };

it.each([0, 1, BLOCKS_PER_QUERY - 1, BLOCKS_PER_QUERY, BLOCKS_PER_QUERY + 1, 2 * BLOCKS_PER_QUERY])(
  'tells a reader that it is current without a heartbeat: after %i blocks, and at the end',
  async (count) => {
    const end = new AbortController();
    for (const after of [0, endOf(count)]) {
      const place = { position: count === 0 ? 0 : endOf(count), blockHash: count === 0 ? undefined : blockOf(count).hash };
      const begin = after === 0 || count === 0 ? { position: 0, blockHash: undefined } : place;
      const batches = entriesForwards(journalOf(count), { ...SETTINGS, after: begin, signal: end.signal });
      expect(await batches.next()).toEqual({ done: false, value: { entries: [], place, caughtUp: true } });
    }
    end.abort();
  },
);

it.each([
  ['the end of a block', endOf(7), 0],
  ['the midst of a block', positionOf(7, 0), 0],
  ['the end of an archived block', endOf(7), 7],
])('goes on after %s if the journal still has the block', async (_place, position, archived) => {
  const next = (forked?: number) => {
    const after = { position, blockHash: blockOf(7).hash };
    const journal = journalOf(9, { archived, ...(forked === undefined ? {} : { forked }) });
    return entriesForwards(journal, { ...SETTINGS, after, signal: AbortSignal.timeout(NEVER_MS) }).next();
  };
  const end = { done: false, value: { entries: [], caughtUp: true, place: { position: endOf(9) } } };
  expect(await next()).toMatchObject(end);
  expect(await next(7)).toMatchObject(end);
  await expect(next(6)).rejects.toMatchObject({ code: 'POSITION_NOT_AVAILABLE' });
});
