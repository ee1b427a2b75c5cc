import { quietLogger } from '@florin/rpc/testing';
import { describe, expect, it, vi } from 'vitest';
import type { FeedBlock } from '../domain/feed-block.ts';
import { createFeedSource } from './feed-source.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

/** A block of two events. */
const blockOf = (n: number): FeedBlock => ({
  ...{ feed: 'acme', n, first: 2 * n - 1, last: 2 * n, at: NOW, before: {} },
  events: [2 * n - 1, 2 * n].map((sequence) => ({
    ...{ id: `event-${sequence}`, type: 'card.issued', typeNumber: 1, at: NOW },
    ...{ subject: `card/${sequence}`, subjectSequence: 1, data: '{}' },
  })),
});

const ALL = Array.from({ length: 10 }, (_, index) => blockOf(index + 1));

/** A feed of ten blocks. @param sees tells whether queries find a block at the moment @param floor what the archive has @param next what was appended since */
const openFeed = async ({ sees, floor = 0, next = [] }: { sees: (n: number) => boolean; floor?: number; next?: FeedBlock[] }) => {
  const grown = vi.fn();
  const look = vi.fn(async () => next);
  let wake = (): void => undefined;

  const source = createFeedSource({
    blocks: {
      newest: async () => ALL.at(-1),
      numbered: look,
      after: async (_feed, sequence, _end, limit) => ALL.filter(({ n, last }) => last > sequence && sees(n)).slice(0, limit),
    },
    archives: { floor: async () => floor },
    wake: {
      listen: (listener) => {
        wake = () => listener('acme');
      },
    },
    logger: quietLogger,
  });
  const reader = await source.open('acme', grown);
  /** Resolves when the source has looked for new blocks. */
  const looked = async () => {
    await vi.waitFor(() => {
      wake();
      expect(look.mock.calls.length).toBeGreaterThan(2);
    });
  };
  return { source, reader, grown, looked };
};

describe('a feed that deliveries read', () => {
  it('is read block by block', async () => {
    const { source, reader } = await openFeed({ sees: () => true });
    const numbers: number[] = [];
    for (let block = await reader.next(0); block !== undefined; block = await reader.next(block.last)) numbers.push(block.n);
    expect(numbers).toEqual(ALL.map(({ n }) => n));
    await source.close();
  });

  it.each([
    ['the next block', [3]],
    ['all but the newest', [3, 4, 5, 6, 7, 8, 9]],
  ])('is not read on while a query misses %s, which no archive has', async (_name, numbers) => {
    const missing = new Set(numbers);
    const { source, reader } = await openFeed({ sees: (n) => !missing.has(n) });
    expect((await reader.next(0))?.n).toBe(1);
    await expect(reader.next(4)).rejects.toThrow('what follows on the event 4 of the feed acme was not found');
    await expect(reader.event(5, undefined)).rejects.toThrow('was not found');
    missing.clear();
    expect((await reader.next(4))?.n).toBe(3);
    expect((await reader.event(5, undefined))?.id).toBe('event-5');
    await source.close();
  });

  it('goes on with the first block that is kept where others are archived, and has no event of these', async () => {
    const { source, reader } = await openFeed({ sees: (n) => n > 3, floor: 6 });
    expect((await reader.next(0))?.n).toBe(4);
    expect(await reader.event(5, undefined)).toBeUndefined();
    expect((await reader.event(7, undefined))?.id).toBe('event-7');
    await source.close();
  });

  it('is not read on where a query misses more than is archived', async () => {
    const { source, reader } = await openFeed({ sees: (n) => n > 4, floor: 6 });
    await expect(reader.next(0)).rejects.toThrow('was not found');
    await source.close();
  });

  it('is followed by the next block', async () => {
    const { source, reader, grown, looked } = await openFeed({ sees: () => true, next: [blockOf(11)] });
    await looked();
    expect(grown).toHaveBeenCalledOnce();
    expect((await reader.next(20))?.n).toBe(11);
    await source.close();
  });

  it('is not followed by a block that does not continue what was read', async () => {
    const forked = { ...blockOf(11), first: 20, last: 21 };
    const { source, reader, grown, looked } = await openFeed({ sees: () => true, next: [forked] });
    await looked();
    expect(grown).not.toHaveBeenCalled();
    expect(reader.next(20)).toBeUndefined();
    expect(reader.head()).toMatchObject({ n: 10, last: 20 });
    await source.close();
  });
});
