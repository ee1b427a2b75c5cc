import { pause } from '@florin/rpc/time';
import { InvariantError } from '../domain/apply-entry.ts';
import { type Block, blockId, entriesOf, GENESIS, hashBlock, type Tail, tailOf } from '../domain/block.ts';
import type { Entry } from '../domain/entry.ts';
import { projectBlock } from '../domain/projection.ts';
import type { Speculation } from '../domain/shard-state.ts';
import { createEntryIndex, type EntryIndex } from '../runs/entry-index.ts';
import { openRuns } from '../runs/indexer.ts';
import { recentBlock } from '../runs/recent-block.ts';
import type { RunStore } from '../runs/run-store.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import { accountsOfEntries, readBlock, replayEntries } from './chain.ts';
import { openPages, type Pages } from './pages.ts';
import type { BlockStore, Checkpoint, CheckpointStore, PageStore } from './ports.ts';
import { LostRaceError } from './writer-state.ts';

/** A writer's in-memory state as of the last applied block. Contains durable data only. */
export type ShardMemory = {
  pages: Pages;
  backlog: Backlog;
  index: EntryIndex;
  /** Reports whether what is written behind the journal has kept up. */
  hasRoom: () => boolean;
  /** How long it has not, in milliseconds. */
  fullMs: () => number;
  tail: () => Tail;
  /**
   * Takes in everything after the stored pages, from where it was stopped. To be done before anything else, while a projector and an indexer run.
   * @param signal stops it
   * @throws InvariantError
   */
  recover: (signal: AbortSignal) => Promise<void>;
  /** Takes in the blocks that were appended since. */
  readOn: (signal: AbortSignal) => Promise<void>;
  /** Loads the balance pages of the accounts that were used lately. */
  warm: () => Promise<void>;
  /** Forgets what the owner of the shard has projected meanwhile. */
  dropProjected: () => Promise<void>;
  /**
   * Claims the shard for a term of writing, where that was not done when the memory was opened.
   * @throws LostRaceError when a writer of this term or a later one has claimed it, or balances were stored since the memory was opened
   */
  claim: (epoch: number) => Promise<void>;
  /** Everything of the blocks up to this one is in the projections. */
  projected: () => number;
  /** Term of the last block; 0 without one. */
  lastEpoch: () => number;
  /** Takes in a block that this writer appended; `speculation` is what drafting it did to the balances. */
  accept: (block: Block, entries: readonly Entry[], speculation: Speculation) => void;
  /** Stores the balances, so that the next start begins here. @throws LostRaceError when a later term has claimed the checkpoint */
  flush: () => Promise<void>;
  /** Number of blocks after the checkpoint. */
  sinceCheckpoint: () => number;
};

export type ShardMemoryOptions = {
  shard: string;
  blocks: BlockStore;
  pages: PageStore;
  checkpoints: CheckpointStore;
  runs: RunStore;
  maxAccounts: number;
};

/** Most entries by which durable blocks may run ahead of the projections. Then drafting waits for them, so that memory stays bounded. */
const MAX_BACKLOG_ENTRIES = 50_000;

/** Most entries that are in no run yet. Then drafting waits as well. */
const MAX_RECENT_ENTRIES = 150_000;

const DRAIN_PAUSE_MS = 20;

/** Accounts whose pages a successor loads ahead. */
const WARM_ACCOUNTS = 2000;

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
 * @param term of the writer, for which the shard is claimed; undefined for a successor, which writes nothing before it claims it
 * @throws LostRaceError when a writer of this term or a later one has claimed the shard
 * @throws InvariantError when the stored journal contradicts itself
 */
export const openShardMemory = async (options: ShardMemoryOptions, term?: number): Promise<ShardMemory> => {
  const { shard, blocks, checkpoints, maxAccounts } = options;
  const claimCheckpoint = async (epoch: number): Promise<Checkpoint> => {
    const claimed = await checkpoints.claim(shard, epoch);
    if (claimed === undefined) throw new LostRaceError(`shard ${shard} has been claimed for term ${epoch} or a later one`);
    return claimed;
  };
  let epoch = term;
  const checkpoint = epoch === undefined ? await checkpoints.load(shard) : await claimCheckpoint(epoch);
  let { projected } = checkpoint;
  let lastEpoch = await epochOfCheckpoint(options, checkpoint.paged);
  const index = createEntryIndex(options);
  const opening = openPages({ shard, store: options.pages, maxAccounts, checkpoint: checkpoint.paged?.n ?? 0 });
  const loading = epoch === undefined ? index.runs.load() : openRuns({ ...options, epoch }, index);
  const [pages] = await Promise.all([opening, loading]);
  const covered = index.runs.covered();
  // After what follows from it, which a writer that has not noticed this term yet may store meanwhile: its blocks are stored first.
  const last = await blocks.last(shard);
  // The blocks are older than the pages or runs, as after a restore that was not consistent.
  if (pages.newest() > last)
    throw new InvariantError(`balances are as of block ${pages.newest()}, but the journal ends with block ${last}`);
  if (covered > last) throw new InvariantError(`runs of entries reach block ${covered}, but the journal ends with block ${last}`);
  const backlog = createBacklog();
  let tail: Tail = checkpoint.paged ?? GENESIS;
  let flushed = tail.n;

  let fullSince: number | undefined;
  const hasRoom = (): boolean => {
    const isFull = backlog.size() >= MAX_BACKLOG_ENTRIES || index.size() >= MAX_RECENT_ENTRIES;
    fullSince = isFull ? (fullSince ?? performance.now()) : undefined;
    return !isFull;
  };

  const projectedUpTo = (n: number): void => {
    projected = n;
    backlog.drop(n);
  };
  const dropProjected = async (): Promise<void> => projectedUpTo((await checkpoints.load(shard)).projected);

  /** The projector and the indexer make room; those of the owner, for a successor, which has neither. */
  const room = async (signal: AbortSignal): Promise<void> => {
    while (!hasRoom()) {
      signal.throwIfAborted();
      await pause(DRAIN_PAUSE_MS);
      if (epoch !== undefined) continue;
      await Promise.all([dropProjected(), index.runs.load()]);
      index.drop();
    }
    signal.throwIfAborted();
  };

  /** The rows to be written behind the journal. */
  const follow = (block: Block, entries: readonly Entry[]): void => {
    if (block.n > projected) backlog.push(projectBlock(block, entries));
    // Another writer, which has not noticed this term yet, may have put it into a run meanwhile.
    if (block.n > index.runs.covered()) index.push(recentBlock(block, entries));
  };

  const take = (block: Block, entries: readonly Entry[], speculation: Speculation): void => {
    pages.merge(speculation);
    tail = tailOf(block);
    lastEpoch = block.epoch;
    follow(block, entries);
  };

  /** One at a time: a checkpoint must not be stored before its pages. */
  let flushing: Promise<void> = Promise.resolve();
  const flushNow = async (): Promise<void> => {
    const reached = tail;
    if (reached.n === flushed) return;
    await pages.flush(reached.n);
    if (epoch === undefined || !(await checkpoints.savePaged(shard, epoch, reached)))
      throw new LostRaceError(`shard ${shard} has been claimed for a later term`);
    pages.covered(reached.n);
    flushed = reached.n;
  };
  const flush = (): Promise<void> => {
    flushing = flushing.catch(() => undefined).then(flushNow);
    return flushing;
  };

  const readOn = async (signal: AbortSignal): Promise<void> => {
    for await (const block of blocks.after(shard, tail.n)) {
      await room(signal);
      const entries = readBlock(tail, block);
      const round = pages.beginRound();
      await pages.load(accountsOfEntries(entries), round);
      take(block, entries, replayEntries(pages, block, entries));
      pages.done(round);
      // Changed pages cannot be evicted before they are stored.
      if (pages.size() > 2 * maxAccounts && tail.n >= pages.newest()) await flush();
    }
  };
  const paged = tail.n;
  /** Up to here, what is in the pages was looked for in the projections and the runs as well. */
  let followed = Math.min(projected, covered);
  const recover = async (signal: AbortSignal): Promise<void> => {
    if (followed < paged) {
      for await (const block of blocks.after(shard, followed)) {
        if (block.n > paged) break;
        await room(signal);
        follow(block, entriesOf(block));
        followed = block.n;
      }
    }
    await readOn(signal);
  };

  return {
    pages,
    backlog,
    index,
    hasRoom,
    fullMs: () => (hasRoom() || fullSince === undefined ? 0 : performance.now() - fullSince),
    tail: () => tail,
    lastEpoch: () => lastEpoch,
    recover,
    readOn,
    warm: async () => {
      const round = pages.beginRound();
      await pages.load(index.lately(WARM_ACCOUNTS), round);
      pages.done(round);
    },
    dropProjected,
    claim: async (next) => {
      const claimed = await claimCheckpoint(next);
      // Pages in memory were loaded from versions that a later one may have replaced.
      if (claimed.paged?.n !== checkpoint.paged?.n) throw new LostRaceError(`balances of shard ${shard} were stored by another writer`);
      epoch = next;
      projectedUpTo(claimed.projected);
      await openRuns({ ...options, epoch }, index);
      index.drop();
    },
    projected: () => projected,
    accept: take,
    flush,
    sinceCheckpoint: () => tail.n - flushed,
  };
};
