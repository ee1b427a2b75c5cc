import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { InvariantError } from '../domain/apply-entry.ts';
import { type Block, blockId } from '../domain/block.ts';
import type { BlockStore } from '../journal/ports.ts';

/** `body` holds the entries, one line each: one text to write, to hash, and to read with the eye. */
type BlockDocument = Omit<Block, 'lines'> & { _id: string; body: string };

// Written and read past mongoose's casting: the hash covers exactly what was given.
const schema = new Schema<BlockDocument>({ _id: String }, { collection: 'blocks', versionKey: false, strict: false }).index({
  shard: 1,
  n: 1,
});

const BLOCKS_PER_BATCH = 10;

/** Only what a majority has: a block that a failover could still roll back must not be built upon. */
const DURABLE = { readConcern: { level: 'majority' } } as const;

/** A block as it is stored. */
export const blockDocument = ({ lines, ...block }: Block): BlockDocument => ({
  _id: blockId(block.shard, block.n),
  ...block,
  body: lines.join('\n'),
});

const toBlock = ({ _id, shard, n, epoch, prevHash, hash, at, body }: BlockDocument): Block => {
  try {
    if (_id !== blockId(shard, n)) throw new Error('its number is not its name');
    return { shard, n, epoch, prevHash, hash, at: new Date(at.getTime()), lines: body === '' ? [] : body.split('\n') };
  } catch (cause) {
    throw new InvariantError(`block ${_id} cannot be read: ${cause instanceof Error ? cause.message : 'unknown cause'}`, { cause });
  }
};

export type StoredBlocks = BlockStore & {
  /** Term of the writer of the shard's last block; 0 without one. */
  lastEpoch: (shard: string) => Promise<number>;
};

/** Blocks as documents `{_id: "<shard>:<n>", …, body}`. */
export const createBlockStore = (connection: Connection): StoredBlocks => {
  const collection = rawCollection(connection.model<BlockDocument>('Block', schema));
  const lastOf = async (shard: string): Promise<Pick<BlockDocument, 'n' | 'epoch'> | undefined> => {
    const [last] = await collection
      .find<Pick<BlockDocument, 'n' | 'epoch'>>({ shard }, { ...DURABLE, projection: { n: 1, epoch: 1 } })
      .sort({ n: -1 })
      .limit(1)
      .toArray();
    return last;
  };
  return {
    insert: async (block) => {
      try {
        await collection.insertOne(blockDocument(block));
        return 'inserted';
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken';
        throw error;
      }
    },
    find: async (shard, n) => {
      const document = await collection.findOne({ _id: blockId(shard, n) }, DURABLE);
      return document === null ? undefined : toBlock(document);
    },
    after: async function* (shard, n) {
      const cursor = collection
        .find({ shard, n: { $gt: n } }, DURABLE)
        .sort({ n: 1 })
        .batchSize(BLOCKS_PER_BATCH);
      for await (const document of cursor) yield toBlock(document);
    },
    last: async (shard) => (await lastOf(shard))?.n ?? 0,
    time: async () => {
      const { localTime } = (await connection.db?.command({ hello: 1 })) ?? {};
      if (!(localTime instanceof Date)) throw new Error('the engine did not state its time');
      return localTime;
    },
    lastEpoch: async (shard) => (await lastOf(shard))?.epoch ?? 0,
  };
};
