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
import { LostRaceError } from './writer-state.ts';

/** What one writer knows of a shard, as of the last block that was taken in: nothing that is not durable. */
export type ShardMemory = {
  pages: Pages;
  backlog: Backlog;
  tail: () => Tail;
  /** Takes in everything after the stored pages. To be done once, before anything else, while a projector runs. @throws InvariantError */
  recover: () => Promise<void>;
  /** Term of the last block; 0 without one. */
  lastEpoch: () => number;
  /** Takes in a block that this writer appended; `speculation` is what drafting it did to the balances. */
  accept: (block: Block, entries: readonly Entry[], speculation: Speculation) => void;
  /** Stores the balances, so that the next start begins here. */
  flush: () => Promise<void>;
};

export type ShardMemoryOptions = {
  shard: string;
  /** Term of the writer. */
  epoch: number;
  blocks: BlockStore;
  pages: PageStore;
  checkpoints: CheckpointStore;
  maxAccounts: number;
};

/** Most entries by which durable blocks may run ahead of the projections. Then drafting waits for them, so that memory stays bounded. */
export const MAX_BACKLOG_ENTRIES = 50_000;

const DRAIN_PAUSE_MS = 20;

/**
 * Makes sure that the journal has the block that the checkpoint names, which it lacks after a restore of older blocks.
 * @returns the block's term; 0 without a checkpoint
 * @throws InvariantError
 */
const epochOfCheckpoint = async (
  { shard, blocks }: Pick<ShardMemoryOptions, 'shard' | 'blocks'>,
  paged: Checkpoint['paged'],
): Promise<number> => {
  if (paged === undefined) return 0;
  const block = await blocks.find(shard, paged.n);
  if (block === undefined || hashBlock(block) !== paged.hash) {
    throw new InvariantError(`block ${blockId(shard, paged.n)} is not the one that the checkpoint names`);
  }
  return block.epoch;
};

/**
 * A shard's memory as of its checkpoint: the stored pages. `recover` takes in the blocks after it.
 * @throws LostRaceError when a writer of this term or a later one has claimed the shard
 * @throws InvariantError when the stored journal contradicts itself
 */
export const openShardMemory = async (options: ShardMemoryOptions): Promise<ShardMemory & { checkpoint: Checkpoint }> => {
  const { shard, epoch, blocks, checkpoints, maxAccounts } = options;
  const checkpoint = await checkpoints.claim(shard, epoch);
  if (checkpoint === undefined) throw new LostRaceError(`shard ${shard} has been claimed for term ${epoch} or a later one`);
  let lastEpoch = await epochOfCheckpoint(options, checkpoint.paged);
  const pages = await openPages({
    shard,
    store: options.pages,
    maxAccounts,
    checkpoint: checkpoint.paged?.n ?? 0,
    last: await blocks.last(shard),
  });
  const backlog = createBacklog();
  let tail: Tail = checkpoint.paged ?? GENESIS;
  let flushed = tail.n;

  /** The projector makes room. */
  const roomInBacklog = async (): Promise<void> => {
    while (backlog.size() >= MAX_BACKLOG_ENTRIES) await pause(DRAIN_PAUSE_MS);
  };

  const take = (block: Block, entries: readonly Entry[], speculation: Speculation): void => {
    pages.merge(speculation);
    tail = tailOf(block);
    lastEpoch = block.epoch;
    if (block.n > checkpoint.projected) backlog.push(projectBlock(block, entries));
  };

  /** One at a time: a checkpoint must not overtake the pages that it stands for. */
  let flushing: Promise<void> = Promise.resolve();
  const flushNow = async (): Promise<void> => {
    const reached = tail;
    if (reached.n === flushed) return;
    await pages.flush(reached.n);
    if (!(await checkpoints.savePaged(shard, epoch, reached))) throw new LostRaceError(`shard ${shard} has been claimed for a later term`);
    pages.covered(reached.n);
    flushed = reached.n;
  };
  const flush = (): Promise<void> => {
    flushing = flushing.catch(() => undefined).then(flushNow);
    return flushing;
  };

  const readOn = async (): Promise<void> => {
    for await (const block of blocks.after(shard, tail.n)) {
      await roomInBacklog();
      const entries = readBlock(tail, block);
      const round = pages.beginRound();
      await pages.load(accountsOfEntries(entries), round);
      take(block, entries, replayEntries(pages, block, entries));
      pages.done(round);
      // What has changed cannot be evicted before it is stored.
      if (pages.size() > 2 * maxAccounts && tail.n >= pages.newest()) await flush();
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
    await readOn();
  };

  return {
    checkpoint,
    pages,
    backlog,
    tail: () => tail,
    lastEpoch: () => lastEpoch,
    recover,
    accept: take,
    flush,
  };
};
