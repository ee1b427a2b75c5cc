import { InvariantError } from '../domain/apply-entry.ts';
import { type Block, blockId, GENESIS, type Tail, tailOf } from '../domain/block.ts';
import type { Entry } from '../domain/entry.ts';
import { createWholeState, type WholeState } from '../domain/shard-state.ts';
import { readBlock, replayEntries } from './chain.ts';
import type { BlockStore, CheckpointStore, PageStore, ProjectionAudit } from './ports.ts';
import { createPageCheck } from './verify-pages.ts';
import { createProjectionCheck } from './verify-projections.ts';

export type ShardReport = {
  blocks: number;
  entries: number;
  /** Undefined when everything agrees. */
  bad: { block: string; problem: string } | undefined;
  /** Sum of all ledger accounts, by token. */
  sums: Map<string, bigint>;
};

export type VerifyOptions = {
  shard: string;
  blocks: BlockStore;
  pages: Pick<PageStore, 'all'>;
  checkpoints: Pick<CheckpointStore, 'load'>;
  projections: ProjectionAudit;
  /** Told after each chunk how many blocks of how many were walked. */
  progress?: (walked: number, of: number) => void;
};

/** Entries whose projections are compared in one go, give or take a block. */
const CHUNK_ENTRIES = 1000;

const sumsOf = (state: WholeState): Map<string, bigint> => {
  const sums = new Map<string, bigint>();
  const add = (token: string, balance: bigint) => sums.set(token, (sums.get(token) ?? 0n) + balance);
  for (const { balances } of state.accounts().values()) {
    for (const [key, balance] of balances) add(key.slice(0, key.lastIndexOf('/')), balance);
  }
  for (const [key, balance] of state.systems()) add(key.slice(key.indexOf('/') + 1), balance);
  return sums;
};

/**
 * Walks a shard's journal from its first block to the one that is last now, with an empty state: numbers, hash chain, and every
 * transfer under the same rules as when it was written; compares the derived balances with the stored pages, and the projections up to
 * their checkpoint. Reports the first block that disagrees. Reads only; streams, so that a long journal needs no memory but its balances.
 */
export const verifyShard = async (options: VerifyOptions): Promise<ShardReport> => {
  const { shard, blocks, projections, progress } = options;
  // In this order: what a checkpoint counts on is in pages and projections by then, and what those know is in the journal by then.
  const { projected, paged } = await options.checkpoints.load(shard);
  const pages = await createPageCheck(shard, options.pages, paged?.n ?? 0);
  const last = await blocks.last(shard);
  const state = createWholeState();
  const rows = createProjectionCheck(shard, Math.min(projected, last), projections);
  let tail: Tail = GENESIS;
  let walked = 0;
  const report = (bad: ShardReport['bad']): ShardReport => ({ blocks: tail.n, entries: walked, bad, sums: sumsOf(state) });

  let chunk: { block: Block; entries: readonly Entry[] }[] = [];
  let chunkEntries = 0;
  const checkChunk = async () => {
    const bad = await rows.check(chunk);
    chunk = [];
    chunkEntries = 0;
    progress?.(tail.n, last);
    return bad;
  };
  try {
    for await (const block of blocks.after(shard, GENESIS.n)) {
      if (block.n > last) break;
      const entries = readBlock(tail, block);
      const speculation = replayEntries(state, block, entries);
      state.merge(speculation);
      tail = tailOf(block);
      walked += entries.length;
      const bad = pages.check(block.n, speculation, state);
      if (bad !== undefined) return report(bad);
      if (block.n === paged?.n && block.hash !== paged.hash) {
        return report({ block: blockId(shard, block.n), problem: 'the checkpoint has another hash of this block' });
      }
      chunk.push({ block, entries });
      chunkEntries += entries.length;
      if (chunkEntries < CHUNK_ENTRIES) continue;
      const badRows = await checkChunk();
      if (badRows !== undefined) return report(badRows);
    }
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    return report({ block: blockId(shard, tail.n + 1), problem: error.message });
  }
  if (tail.n !== last) return report({ block: blockId(shard, tail.n + 1), problem: 'the block is missing' });
  if (paged !== undefined && paged.n > last)
    return report({ block: blockId(shard, paged.n), problem: 'the block of the checkpoint is missing' });
  const bad = (await checkChunk()) ?? (await rows.end()) ?? pages.end();
  if (bad !== undefined) return report(bad);
  for (const [token, sum] of sumsOf(state)) {
    if (sum !== 0n) return report({ block: blockId(shard, tail.n), problem: `the sum of ${token} is ${sum}` });
  }
  return report(undefined);
};
