import { pause } from '@florin/rpc/time';
import { InvariantError } from '../domain/apply-entry.ts';
import { type Block, blockId, GENESIS, hashBlock, type Tail, tailOf } from '../domain/block.ts';
import type { Entry } from '../domain/entry.ts';
import { projectBlock } from '../domain/projection.ts';
import type { Speculation } from '../domain/shard-state.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import { accountsOfEntries, readBlock, replayEntries } from './chain.ts';
import { openPages, type Pages } from './pages.ts';
import type { BlockStore, Checkpoint, CheckpointStore, PageStore } from './ports.ts';

/** What one instance knows of a shard, as of its last block that is taken in. Never anything that is not durable. */
export type ShardMemory = {
  pages: Pages;
  backlog: Backlog;
  tail: () => Tail;
  /** Takes in everything after the stored pages. To be done once, before anything else, with a projector at work. @throws InvariantError */
  recover: () => Promise<void>;
  /** Term of the newest block that another writer appended after we had recovered; 0 without one. */
  foreignTerm: () => number;
  /** Takes in what was appended since, by whomever. @throws InvariantError */
  catchUp: () => Promise<void>;
  /** Takes in a block of our own that is durable now; `speculation` is what drafting it did to the balances. */
  accept: (block: Block, entries: readonly Entry[], speculation: Speculation) => void;
  /** Stores the balances, so that the next start begins here. */
  flush: () => Promise<void>;
};

export type ShardMemoryOptions = {
  shard: string;
  blocks: BlockStore;
  pages: PageStore;
  checkpoints: CheckpointStore;
  maxAccounts: number;
};

/** Durable blocks may run ahead of the projections by so many entries. Then everything waits for them, so that memory stays bounded. */
export const MAX_BACKLOG_ENTRIES = 200_000;

const DRAIN_PAUSE_MS = 20;

/**
 * A checkpoint that the journal does not know, say after a restore from an older backup, must not be built upon.
 * @throws InvariantError
 */
const assertStands = async ({ shard, blocks }: Pick<ShardMemoryOptions, 'shard' | 'blocks'>, paged: Checkpoint['paged']): Promise<void> => {
  if (paged === undefined) return;
  const block = await blocks.find(shard, paged.n);
  if (block === undefined || hashBlock(block) !== paged.hash) {
    throw new InvariantError(`block ${blockId(shard, paged.n)} is not the one that the checkpoint names`);
  }
};

/**
 * A shard's memory as of its checkpoint: the stored pages. `recover` takes in the blocks after it.
 * @throws InvariantError when the stored journal contradicts itself
 */
export const openShardMemory = async (options: ShardMemoryOptions): Promise<ShardMemory & { checkpoint: Checkpoint }> => {
  const { shard, blocks, checkpoints, maxAccounts } = options;
  const checkpoint = await checkpoints.load(shard);
  await assertStands(options, checkpoint.paged);
  const pages = await openPages({ shard, store: options.pages, maxAccounts });
  const backlog = createBacklog();
  let tail: Tail = checkpoint.paged ?? GENESIS;
  let flushed = tail.n;
  let recovered = false;
  let foreignTerm = 0;

  /** The projector makes room. */
  const roomInBacklog = async (): Promise<void> => {
    while (backlog.size() >= MAX_BACKLOG_ENTRIES) await pause(DRAIN_PAUSE_MS);
  };

  const take = (block: Block, entries: readonly Entry[], speculation: Speculation): void => {
    pages.merge(speculation, block.n);
    tail = tailOf(block);
    if (block.n > checkpoint.projected) backlog.push(projectBlock(block, entries));
  };

  /** One at a time: a checkpoint must not overtake the pages that it stands for. */
  let flushing: Promise<void> = Promise.resolve();
  const flushNow = async (): Promise<void> => {
    const reached = tail;
    if (reached.n === flushed) return;
    await pages.flush(() => tail.n);
    await checkpoints.savePaged(shard, reached);
    flushed = reached.n;
  };
  const flush = (): Promise<void> => {
    flushing = flushing.catch(() => undefined).then(flushNow);
    return flushing;
  };

  const catchUp = async (): Promise<void> => {
    for await (const block of blocks.after(shard, tail.n)) {
      await roomInBacklog();
      const entries = readBlock(tail, block);
      const round = pages.beginRound();
      await pages.load(accountsOfEntries(entries), round);
      take(block, entries, replayEntries(pages, block, entries));
      pages.done(round);
      if (recovered) foreignTerm = Math.max(foreignTerm, block.epoch);
      // What changed cannot be forgotten before it is stored.
      if (pages.size() > 2 * maxAccounts) await flush();
    }
  };
  const recover = async (): Promise<void> => {
    const paged = tail.n;
    // In the pages, but perhaps not in the projections yet.
    if (checkpoint.projected < paged) {
      for await (const block of blocks.after(shard, checkpoint.projected)) {
        if (block.n > paged) break;
        await roomInBacklog();
        backlog.push(projectBlock(block));
      }
    }
    await catchUp();
    recovered = true;
  };

  return {
    checkpoint,
    pages,
    backlog,
    tail: () => tail,
    foreignTerm: () => foreignTerm,
    recover,
    catchUp,
    accept: take,
    flush,
  };
};
