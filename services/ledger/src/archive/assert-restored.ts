import type { Head } from '@florin/evm/reserves';
import type { CheckpointStore } from '../journal/ports.ts';

/** The database is not one consistent copy of a ledger. The message says what to do. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

export type RestoreChecks = {
  shards: readonly string[];
  blocks: {
    last: (shard: string) => Promise<number>;
    find: (shard: string, n: number) => Promise<{ hash: string } | undefined>;
  };
  checkpoints: Pick<CheckpointStore, 'load'>;
  pages: {
    /** A block after n that a stored page is as of; undefined when there is none. */
    asOfAfter: (shard: string, n: number) => Promise<number | undefined>;
  };
  newestHead: (shard: string) => Promise<Head | undefined>;
  importPending: () => Promise<boolean>;
};

const REBUILD =
  'The database was put together from copies of different times. Restore all collections from one snapshot of the database, or, if no newer blocks exist anywhere, run `npm run ledger -- rebuild`';

/**
 * Refuses a database whose collections were copied one after another: what follows from the journal must not be newer than the
 * journal itself, or money would be spent from balances that the journal does not have.
 * @throws RestoreError
 */
export const assertRestored = async ({ shards, blocks, checkpoints, pages, newestHead, importPending }: RestoreChecks): Promise<void> => {
  if (await importPending()) {
    throw new RestoreError('an import into this database did not end: run `npm run ledger -- import` again, which begins anew');
  }
  for (const shard of shards) {
    // The end of the journal is read after what follows from it: another instance may own the shard and append meanwhile.
    const { projected, paged } = await checkpoints.load(shard);
    const head = await newestHead(shard);
    let last = 0;
    let newer: number | undefined = Math.max(projected, paged?.n ?? 0);
    while (newer !== undefined) {
      last = await blocks.last(shard);
      if (newer > last) {
        throw new RestoreError(
          `balances or projections of shard ${shard} are as of block ${shard}:${newer}, but the journal ends with block ${shard}:${last}. ${REBUILD}`,
        );
      }
      newer = await pages.asOfAfter(shard, last);
    }
    if (head === undefined) continue;
    const stored = head.n > last ? undefined : await blocks.find(shard, head.n);
    if (head.n > last || (stored !== undefined && stored.hash !== head.hash)) {
      throw new RestoreError(
        `block ${shard}:${head.n} is not the one that was signed; the journal ends with block ${last}. Blocks are missing or were changed: restore a newer copy, and hold it against a kept head with \`npm run ledger -- verify --heads FILE\``,
      );
    }
  }
};
