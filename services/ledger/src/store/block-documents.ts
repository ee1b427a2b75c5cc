import type { Connection } from 'mongoose';
import type { JournalSettings } from './settings.ts';

/** A block as it is stored, not decoded. */
export type StoredBlock = {
  _id: string;
  shard: string;
  n: number;
  epoch: number;
  prevHash: string;
  hash: string;
  at: Date;
  body: string;
};

const BLOCKS_PER_BATCH = 10;
/** The engine may sort all that a query finds before it returns the first. */
const BLOCKS_PER_QUERY = 64;
const BLOCKS_PER_REMOVAL = 200;
/** Blocks as documents, for files and for archiving; the journal itself reads and appends through `createBlockStore`. */
export const createBlockDocuments = (connection: Connection) => {
  const collection = connection.collection<StoredBlock>('blocks');
  return {
    /** Shards that have blocks. */
    shards: async (): Promise<string[]> => {
      const settings = await connection.collection<JournalSettings>('settings').findOne({ _id: 'journal' });
      // For a list of the shards of all blocks the engine reads all of them: only where a restore has left the settings out.
      const names =
        settings === null ? await collection.distinct('shard') : Array.from({ length: settings.shards }, (_, shard) => String(shard));
      const found = await Promise.all(names.map((shard) => collection.findOne({ shard }, { projection: { shard: 1 } })));
      return found.flatMap((block) => (block === null ? [] : [block.shard])).sort((a, b) => Number(a) - Number(b));
    },
    /** Blocks after `from` up to `to`, in order. */
    between: async function* (shard: string, from: number, to: number): AsyncGenerator<StoredBlock> {
      for (let first = from; first < to; first += BLOCKS_PER_QUERY) {
        const filter = { shard, n: { $gt: first, $lte: Math.min(first + BLOCKS_PER_QUERY, to) } };
        yield* collection
          .find(filter, { readConcern: { level: 'majority' } })
          .sort({ n: 1 })
          .batchSize(BLOCKS_PER_BATCH);
      }
    },
    insert: async (blocks: readonly StoredBlock[]): Promise<void> => {
      if (blocks.length > 0) await collection.insertMany([...blocks]);
    },
    /** Removes the blocks up to n, the oldest first, in bounded commands. */
    removeUpTo: async (shard: string, n: number): Promise<void> => {
      const first = await collection.findOne({ shard }, { projection: { n: 1 }, sort: { n: 1 } });
      for (let from = first?.n ?? n + 1; from <= n; from += BLOCKS_PER_REMOVAL) {
        await collection.deleteMany({ shard, n: { $gte: from, $lt: Math.min(from + BLOCKS_PER_REMOVAL, n + 1) } });
      }
    },
  };
};

export type BlockDocuments = ReturnType<typeof createBlockDocuments>;
