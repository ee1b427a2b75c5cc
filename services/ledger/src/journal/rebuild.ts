import type { AccountState } from '../domain/account-state.ts';
import { InvariantError } from '../domain/apply-entry.ts';
import { encodeAccounts } from '../domain/balance-page.ts';
import { GENESIS, type Tail, tailOf } from '../domain/block.ts';
import { pageBits, pageOf } from '../domain/placement.ts';
import { type BlockProjection, projectBlock } from '../domain/projection.ts';
import { createWholeState, type WholeState } from '../domain/shard-state.ts';
import { createBlockIndexing } from '../runs/index-blocks.ts';
import type { RunStore } from '../runs/run-store.ts';
import { readBlock, replayEntries } from './chain.ts';

import type { BlockStore, CheckpointStore, PageStore, Projections, StoredPage } from './ports.ts';
import { encodeSystem, SYSTEM_PAGE } from './system-page.ts';

export type RebuildOptions = {
  shard: string;
  blocks: Pick<BlockStore, 'after' | 'last'>;
  pages: Pick<PageStore, 'save'>;
  checkpoints: Pick<CheckpointStore, 'claim' | 'saveProjected' | 'savePaged'>;
  projections: Pick<Projections, 'save'>;
  runs: RunStore;
  /** Entries of a run. */
  runEntries: number;
  /** Told after each round how many blocks of how many are done. */
  progress?: (done: number, of: number) => void;
};

const ENTRIES_PER_ROUND = 4000;
const PAGES_PER_WRITE = 32;

/** A shard's balances as pages, all as of one block. */
const pagesOf = (state: WholeState, asOf: number): StoredPage[] => {
  const members = new Map<string, [string, AccountState][]>();
  const bits = pageBits(state.accounts().size);
  for (const [id, account] of state.accounts()) {
    const page = pageOf(id, bits);
    const list = members.get(page);
    if (list === undefined) members.set(page, [[id, account]]);
    else list.push([id, account]);
  }
  return [
    ...[...members].map(([page, accounts]) => ({ page, slot: 0 as const, asOf, text: encodeAccounts(accounts) })),
    { page: SYSTEM_PAGE, slot: 0, asOf, text: encodeSystem(state.accounts().size, state.systems()) },
  ];
};

/**
 * Writes everything that is derived from a shard's journal, from its first block on, into stores that hold nothing of it. Checks the
 * same invariants as a start. After a kill it starts over; a ledger that is started instead finishes the work.
 * @throws InvariantError naming the first block that cannot be replayed
 */
export const rebuildShard = async (options: RebuildOptions): Promise<{ blocks: number; entries: number }> => {
  const { shard, blocks, pages, checkpoints, projections, runs, progress } = options;
  const indexing = createBlockIndexing(runs, shard, options.runEntries);
  const last = await blocks.last(shard);
  const state = createWholeState();
  let tail: Tail = GENESIS;
  let epoch = 0;
  let entries = 0;
  let round: BlockProjection[] = [];
  let waiting = 0;

  const finishRound = async (): Promise<void> => {
    if (round.length > 0) await projections.save(shard, round);
    round = [];
    waiting = 0;
    await checkpoints.saveProjected(shard, tail.n);
    progress?.(tail.n, last);
  };

  for await (const block of blocks.after(shard, GENESIS.n)) {
    const list = readBlock(tail, block);
    state.merge(replayEntries(state, block, list));
    tail = tailOf(block);
    epoch = block.epoch;
    round.push(projectBlock(block, list));
    await indexing.add(block, list);
    entries += list.length;
    waiting += list.length;
    if (waiting >= ENTRIES_PER_ROUND) await finishRound();
  }
  if (tail.n < last) throw new InvariantError(`block ${shard}:${tail.n + 1} is missing`);
  await finishRound();
  const rows = pagesOf(state, tail.n);
  for (let start = 0; start < rows.length; start += PAGES_PER_WRITE) await pages.save(shard, rows.slice(start, start + PAGES_PER_WRITE));
  if (tail.n > 0) {
    await checkpoints.claim(shard, epoch);
    await checkpoints.savePaged(shard, epoch, tail);
  }
  return { blocks: tail.n, entries };
};
