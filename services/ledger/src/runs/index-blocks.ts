import { type Block, entriesOf } from '../domain/block.ts';
import type { Entry } from '../domain/entry.ts';
import { collectRun } from './collect-run.ts';
import { makeRun } from './indexer.ts';
import { type RecentBlock, recentBlock } from './recent-block.ts';
import type { RunStore } from './run-store.ts';

/** Term of commands: a ledger, or the next command, begins anew what they leave unfinished. */
const NO_TERM = 0;

/** Writes runs of blocks that are given in order. */
export type BlockIndexing = {
  add: (block: Block, entries: readonly Entry[]) => Promise<void>;
  /** Writes what is left as well. */
  end: () => Promise<void>;
};

export const createBlockIndexing = (runs: RunStore, shard: string, runEntries: number): BlockIndexing => {
  let blocks: RecentBlock[] = [];
  let entries = 0;
  const end = async (): Promise<void> => {
    if (blocks.length === 0) return;
    const run = await makeRun({ shard, runs }, await collectRun(blocks, NO_TERM));
    if (run === undefined) throw new Error(`a ledger writes runs of shard ${shard} now: run the command again`);
    [blocks, entries] = [[], 0];
  };
  return {
    add: async (block, given) => {
      blocks.push(recentBlock(block, given));
      entries += given.length;
      if (entries >= runEntries) await end();
    },
    end,
  };
};

/** Last block of a shard that is in a run; 0 without runs. */
const coveredBlock = async (runs: Pick<RunStore, 'heads'>, shard: string): Promise<number> =>
  Math.max(0, ...(await runs.heads(shard)).map(({ to }) => to));

/** Writes runs up to a block, so that the entries are found without their blocks. */
export const indexUpTo = async (
  {
    runs,
    runEntries,
    blocks,
  }: { runs: RunStore; runEntries: number; blocks: { after: (shard: string, n: number) => AsyncIterable<Block> } },
  shard: string,
  n: number,
): Promise<void> => {
  const covered = await coveredBlock(runs, shard);
  if (covered >= n) return;
  const indexing = createBlockIndexing(runs, shard, runEntries);
  for await (const block of blocks.after(shard, covered)) {
    if (block.n > n) break;
    await indexing.add(block, entriesOf(block));
  }
  await indexing.end();
};
