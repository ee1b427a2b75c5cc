import type { Block } from '../domain/block.ts';
import type { BlockProjection } from '../domain/projection.ts';

/** The stored journal. Everything else can be rebuilt from it. */
export type BlockStore = {
  /**
   * Appends a block durably (majority, journaled): one insert whose `_id` is the block's number.
   * @returns `taken` when there is a block of that number, possibly this very one after a repeated try
   * @throws what the engine raises; then it is unknown whether the block was written
   */
  insert: (block: Block) => Promise<'inserted' | 'taken'>;
  find: (shard: string, n: number) => Promise<Block | undefined>;
  /** The same, sure to see every block that was acknowledged before. @throws at a primary that was replaced, also if it does not know */
  findProven: (shard: string, n: number) => Promise<Block | undefined>;
  /**
   * Blocks n+1 and later, in order, streamed.
   * @throws InvariantError on a stored block that cannot be read
   */
  after: (shard: string, n: number) => AsyncIterable<Block>;
  /** Number of the shard's last block; 0 without one. */
  last: (shard: string) => Promise<number>;
  /** The engine's time. */
  time: () => Promise<Date>;
};

/**
 * A version of a balance page as it is stored. Each page has two slots, so that writing a version leaves the one before it, which the
 * checkpoint may still need. The system accounts of the shard are a page as well.
 */
export type PageVersion = { page: string; slot: 0 | 1; asOf: number };
export type StoredPage = PageVersion & { text: string };

/** Balances as of some block, so that a start need not replay the whole journal. Derived: may be dropped at any time. */
export type PageStore = {
  /** All stored versions of a shard's pages, without their text. */
  versions: (shard: string) => Promise<PageVersion[]>;
  find: (shard: string, slots: readonly Pick<PageVersion, 'page' | 'slot'>[]) => Promise<StoredPage[]>;
  /**
   * Writes versions into their slots. A slot that holds a version of a later block stays as it is.
   * @returns whether all were written
   */
  save: (shard: string, pages: readonly StoredPage[]) => Promise<boolean>;
  /** All stored versions of a shard's pages, one after the other. */
  all: (shard: string) => AsyncIterable<StoredPage>;
};

/** How far things written behind the journal have come. */
export type Checkpoint = {
  /** Term of the writer that has claimed it last; 0 before the first. */
  epoch: number;
  /** Everything of the blocks up to this one is in the projections. */
  projected: number;
  /** Everything of the blocks up to this one is in the stored pages. Absent before the first time. */
  paged?: { n: number; hash: string; at: Date };
};

export type CheckpointStore = {
  load: (shard: string) => Promise<Checkpoint>;
  /**
   * Claims the checkpoint for a term of writing and loads it: from then on no writer of an earlier term moves it.
   * @returns undefined when it has been claimed for this term or a later one
   */
  claim: (shard: string, epoch: number) => Promise<Checkpoint | undefined>;
  /** Only moves forward. */
  saveProjected: (shard: string, n: number) => Promise<void>;
  /**
   * Only moves forward, and only for the writer that has claimed it last.
   * @returns whether it was moved
   */
  savePaged: (shard: string, epoch: number, paged: NonNullable<Checkpoint['paged']>) => Promise<boolean>;
};

/** The projections behind the journal. Every write may be repeated, and done by two processes at once, without harm. */
export type Projections = {
  save: (shard: string, blocks: readonly BlockProjection[]) => Promise<void>;
};
