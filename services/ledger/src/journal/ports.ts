import type { Block } from '../domain/block.ts';
import type { KnownEntry } from '../domain/entry.ts';
import type { BlockProjection, EntryRow } from '../domain/projection.ts';

/** The journal as it is stored. Everything else can be rebuilt from it. */
export type BlockStore = {
  /**
   * Appends a block durably (majority, journaled): one insert whose `_id` is the block's number.
   * @returns `taken` when there is a block of that number, possibly this very one after a repeated try
   * @throws whatever the engine raises; then it is unknown whether the block was written
   */
  insert: (block: Block) => Promise<'inserted' | 'taken'>;
  find: (shard: string, n: number) => Promise<Block | undefined>;
  /**
   * Blocks n+1 and later, in order, streamed.
   * @throws InvariantError on a stored block that cannot be read
   */
  after: (shard: string, n: number) => AsyncIterable<Block>;
  /** Number of the shard's last block; 0 without one. */
  last: (shard: string) => Promise<number>;
};

/** The accounts of a page and its shard's system balances are stored alike: as a text, with the block that it is as of. */
export type StoredPage = { page: string; asOf: number; text: string };

/** Balances as of some block, so that a start need not replay the whole journal. Derived: may be dropped at any time. */
export type PageStore = {
  find: (shard: string, pages: readonly string[]) => Promise<StoredPage[]>;
  /** Writes pages; one that is stored as of a later block stays as it is. */
  save: (shard: string, pages: readonly StoredPage[]) => Promise<void>;
  /** All pages of a shard, one after the other. */
  all: (shard: string) => AsyncIterable<StoredPage>;
};

/** How far things written behind the journal have come. */
export type Checkpoint = {
  /** Everything of the blocks up to this one is in the projections. */
  projected: number;
  /** Everything of the blocks up to this one is in the stored pages. Absent before the first time. */
  paged?: { n: number; hash: string; at: Date };
};

export type CheckpointStore = {
  load: (shard: string) => Promise<Checkpoint>;
  /** Only move forward. */
  saveProjected: (shard: string, n: number) => Promise<void>;
  savePaged: (shard: string, paged: NonNullable<Checkpoint['paged']>) => Promise<void>;
};

/** What is written behind the journal. Every write may be repeated, and done by two processes at once, without harm. */
export type Projections = {
  /** Writes everything of the blocks, their entries last: whoever finds an entry finds what it did as well. */
  save: (shard: string, blocks: readonly BlockProjection[]) => Promise<void>;
  /** Ids are unique within a shard. */
  findEntries: (shard: string, ids: readonly string[]) => Promise<Map<string, KnownEntry>>;
};

/** Entries by account, newest first. */
export type EntryReader = {
  find: (shard: string, id: string) => Promise<EntryRow | undefined>;
  page: (
    accountId: string,
    query: { limit: number; before?: number | undefined; booked?: boolean; from?: Date | undefined; to?: Date | undefined },
  ) => Promise<EntryRow[]>;
};

/** Reads for the audit, of what `Projections` wrote. */
export type ProjectionAudit = {
  /** The rows under these ids, as they were written. */
  entryLines: (shard: string, ids: readonly string[]) => Promise<Map<string, { position: number; line: string }>>;
  /** Block of the status and the status itself, by movement id. */
  findMovementStates: (
    list: 'deposits' | 'withdrawals',
    ids: readonly string[],
  ) => Promise<Map<string, { accountId: string; token: string; amount: string; status: string; asOf: number }>>;
  /** Rows that come from blocks 1 to n. */
  countEntries: (shard: string, n: number) => Promise<number>;
  countMovements: (shard: string, list: 'deposits' | 'withdrawals', n: number) => Promise<number>;
};
