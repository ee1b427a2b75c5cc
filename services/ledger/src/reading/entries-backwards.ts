import { type Block, linesOf } from '../domain/block.ts';
import { decodeEntry, type Entry } from '../domain/entry.ts';
import { blockOf, positionOf } from '../domain/position.ts';
import type { BlockStore } from '../journal/ports.ts';

export type PlacedEntry = { entry: Entry; position: number; at: Date };

/** Blocks that are read in one go. */
const WINDOW = 4;

/** Blocks low+1 to high, newest first. */
const readWindow = async (blocks: Pick<BlockStore, 'after'>, shard: string, low: number, high: number): Promise<Block[]> => {
  const found: Block[] = [];
  for await (const block of blocks.after(shard, low)) {
    if (block.n > high) break;
    found.push(block);
  }
  return found.reverse();
};

/**
 * Entries of a shard whose line may match, newest first, read from the journal itself: for queries without a projection.
 * @param before position that the entries lie before
 * @param until number of the oldest block to read
 * @param budget entries to look at, give or take a window; then it ends
 * @returns what matches, and where to go on; undefined at the end
 */
export const entriesBackwards = async (
  blocks: Pick<BlockStore, 'after'>,
  query: {
    shard: string;
    before: number;
    until: number;
    limit: number;
    budget: number;
    /** A cheap test of an entry's line, before it is decoded. */
    mayMatch: (line: string) => boolean;
    matches: (found: PlacedEntry) => boolean;
  },
): Promise<{ rows: PlacedEntry[]; next: number | undefined }> => {
  const { shard, before, until, limit, budget, mayMatch, matches } = query;
  const rows: PlacedEntry[] = [];
  let looked = 0;
  for (let high = blockOf(before); high >= until && high > 0; high -= WINDOW) {
    const window = await readWindow(blocks, shard, Math.max(high - WINDOW, until - 1), high);
    for (const block of window) {
      const { n, at } = block;
      const lines = linesOf(block);
      for (let index = lines.length - 1; index >= 0; index -= 1) {
        const position = positionOf(n, index);
        const line = lines[index] ?? '';
        if (position >= before || !mayMatch(line)) continue;
        const found = { entry: decodeEntry(line), position, at };
        if (!matches(found)) continue;
        rows.push(found);
        if (rows.length === limit) return { rows, next: position };
      }
      looked += lines.length;
    }
    const rest = high - WINDOW;
    if (looked >= budget && rest >= until && rest > 0) return { rows, next: positionOf(rest + 1, 0) };
  }
  return { rows, next: undefined };
};
