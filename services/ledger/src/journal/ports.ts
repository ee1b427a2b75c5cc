import type { Block } from '../domain/block.ts';
import type { KnownEntry } from '../domain/entry.ts';
import type { MovementChange } from '../domain/movement.ts';

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
};

/** What is written behind the journal. Every write may be repeated, and done by two processes at once, without harm. */
export type Projections = {
  /** The block up to which everything is projected; 0 when nothing is. */
  loadCheckpoint: (shard: string) => Promise<number>;
  /** Only moves forward. */
  saveCheckpoint: (shard: string, n: number) => Promise<void>;
  saveMovements: (shard: string, changes: readonly MovementChange[]) => Promise<void>;
  closeAccount: (accountId: string, at: Date) => Promise<void>;
  saveEntries: (shard: string, blocks: readonly Block[]) => Promise<void>;
  findEntries: (ids: readonly string[]) => Promise<Map<string, KnownEntry>>;
};

/** Reads for the audit, of what `Projections` wrote. */
export type ProjectionAudit = {
  /** Block of the status and the status itself, by movement id. */
  findMovementStates: (
    list: 'deposits' | 'withdrawals',
    ids: readonly string[],
  ) => Promise<Map<string, { accountId: string; token: string; amount: string; status: string; asOf: number }>>;
  /** Rows that come from blocks 1 to n. */
  countEntries: (shard: string, n: number) => Promise<number>;
  countMovements: (shard: string, list: 'deposits' | 'withdrawals', n: number) => Promise<number>;
};
