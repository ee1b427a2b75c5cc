import { engineTime, isDuplicateKey, PROVEN, rawCollection } from '@florin/data/store';
import { type Connection, type mongo, Schema } from 'mongoose';
import { InvariantError } from '../domain/apply-entry.ts';
import { type Block, blockId } from '../domain/block.ts';
import type { BlockStore } from '../journal/ports.ts';

/** `body` holds the entries, one line each: one text to write, to hash, and to read with the eye. */
type BlockDocument = Block & { _id: string };

// Written and read past mongoose's casting: the hash covers exactly what was given.
const schema = new Schema<BlockDocument>({ _id: String }, { collection: 'blocks', versionKey: false, strict: false }).index({
  shard: 1,
  n: 1,
});

const BLOCKS_PER_BATCH = 10;

/** Blocks that are sorted at a time: an engine that does not read in the order of an index sorts all that a filter leaves, with their entries. */
const WINDOW = 64;

/** Numbers at which a journal of any length is probed for its end: each twice the one before. */
const PROBES: readonly number[] = Array.from({ length: 32 }, (_, power) => 2 ** power);
const PROBES_PER_STEP = 16;

/** Only what a majority has: a block that a failover could still roll back must not be built upon. */
const DURABLE = { readConcern: { level: 'majority' } } as const;

/** A block as it is stored. */
export const blockDocument = (block: Block): BlockDocument => ({ _id: blockId(block.shard, block.n), ...block });

const toBlock = ({ _id, shard, n, epoch, prevHash, hash, at, body }: BlockDocument): Block => {
  try {
    if (_id !== blockId(shard, n)) throw new Error('its number is not its name');
    return { shard, n, epoch, prevHash, hash, at: new Date(at.getTime()), body };
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
  /** Numbers among these that there are blocks of. */
  const existing = async (shard: string, numbers: readonly number[]): Promise<number[]> => {
    const ids = numbers.map((n) => blockId(shard, n));
    const found = await collection.find({ _id: { $in: ids } }, { ...DURABLE, projection: { n: 1 } }).toArray();
    return found.map(({ n }) => n);
  };

  /** A number near the end, not beyond it: found by ids, which takes the same time in a journal of any length. */
  const nearEnd = async (shard: string): Promise<number> => {
    let low = Math.max(0, ...(await existing(shard, PROBES)));
    let high = PROBES.find((n) => n > low) ?? low;
    while (high - low > WINDOW) {
      const step = Math.ceil((high - low) / PROBES_PER_STEP);
      const numbers = Array.from({ length: PROBES_PER_STEP - 1 }, (_, index) => low + (index + 1) * step).filter((n) => n < high);
      const reached = Math.max(low, ...(await existing(shard, numbers)));
      high = Math.min(high, reached + step);
      low = reached;
    }
    return low;
  };

  const lastOf = async (shard: string): Promise<Pick<BlockDocument, 'n' | 'epoch'> | undefined> => {
    // Probes may miss blocks: the end is the highest number that there is.
    const filter = { shard, n: { $gte: await nearEnd(shard) } };
    const [last] = await collection
      .find<Pick<BlockDocument, 'n' | 'epoch'>>(filter, { ...DURABLE, projection: { n: 1, epoch: 1 } })
      .sort({ n: -1 })
      .limit(1)
      .toArray();
    return last;
  };

  /** The lowest number above n that there is a block of, of which none is near; undefined at the end. */
  const nextBeyond = async (shard: string, n: number): Promise<number | undefined> => {
    const beyond = collection.find({ shard, n: { $gt: n } }, { ...DURABLE, projection: { n: 1 } });
    // Without an order first: it is nearly always the end.
    if ((await beyond.clone().limit(1).toArray()).length === 0) return undefined;
    const [next] = await beyond.sort({ n: 1 }).limit(1).toArray();
    return next?.n;
  };

  const findOne = async (shard: string, n: number, options: mongo.FindOptions): Promise<Block | undefined> => {
    const document = await collection.findOne({ _id: blockId(shard, n) }, options);
    return document === null ? undefined : toBlock(document);
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
    find: (shard, n) => findOne(shard, n, DURABLE),
    findProven: (shard, n) => findOne(shard, n, PROVEN),
    after: async function* (shard, n) {
      for (let from = n; ; ) {
        const last = from + WINDOW;
        const window = collection
          .find({ shard, n: { $gt: from, $lte: last } }, DURABLE)
          .sort({ n: 1 })
          .batchSize(BLOCKS_PER_BATCH);
        let reached = from;
        for await (const document of window) {
          reached = document.n;
          yield toBlock(document);
        }
        if (reached > from) from = reached;
        else {
          // The end, or a gap: what comes before it is archived, or missing.
          const next = await nextBeyond(shard, last);
          if (next === undefined) return;
          from = next - 1;
        }
      }
    },
    last: async (shard) => (await lastOf(shard))?.n ?? 0,
    time: () => engineTime(connection),
    lastEpoch: async (shard) => (await lastOf(shard))?.epoch ?? 0,
  };
};
