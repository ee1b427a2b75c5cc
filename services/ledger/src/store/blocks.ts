import { isDuplicateKey } from '@florin/kit/store';
import { type Connection, Schema } from 'mongoose';
import { type Block, blockId } from '../domain/block.ts';
import { ENTRY_KINDS, type Entry, type Transfer } from '../domain/entry.ts';
import { InvariantError } from '../domain/ledger-state.ts';
import type { BlockStore } from '../journal/ports.ts';

type TransferDocument = Omit<Transfer, 'amount'> & { amount: string };
type EntryDocument = Omit<Entry, 'transfers'> & { transfers: TransferDocument[] };
type BlockDocument = Omit<Block, 'entries'> & { _id: string; entries: EntryDocument[] };

// Entries are written and read past mongoose's casting: a block carries a thousand, and its hash covers exactly what was given.
const schema = new Schema<BlockDocument>({ _id: String }, { collection: 'blocks', versionKey: false, strict: false }).index({
  shard: 1,
  n: 1,
});

const BLOCKS_PER_BATCH = 50;

/** Only what a majority has: a block that a failover could still take back must not be built upon. */
const DURABLE = { readConcern: { level: 'majority' } } as const;

const toDocument = ({ entries, ...block }: Block): BlockDocument => ({
  _id: blockId(block.shard, block.n),
  ...block,
  entries: entries.map((entry) => ({
    ...entry,
    transfers: entry.transfers.map((transfer) => ({ ...transfer, amount: transfer.amount.toString() })),
  })),
});

const toEntry = ({ id, kind, accountId, inputHash, transfers, data }: EntryDocument): Entry => {
  if (!ENTRY_KINDS.includes(kind)) throw new Error('unknown kind of entry');
  return {
    id,
    kind,
    accountId,
    inputHash,
    transfers: transfers.map(({ debit, credit, token, amount }) => ({ debit, credit, token, amount: BigInt(amount) })),
    data,
  };
};

const toBlock = ({ _id, shard, n, epoch, prevHash, hash, at, entries }: BlockDocument): Block => {
  try {
    if (_id !== blockId(shard, n)) throw new Error('its number is not its name');
    return { shard, n, epoch, prevHash, hash, at: new Date(at.getTime()), entries: entries.map(toEntry) };
  } catch (cause) {
    throw new InvariantError(`block ${_id} cannot be read: ${cause instanceof Error ? cause.message : 'unknown cause'}`, { cause });
  }
};

/** Blocks as documents `{_id: "<shard>:<n>", …}`; amounts as decimal strings. */
export const createBlockStore = (connection: Connection): BlockStore => {
  const { collection } = connection.model('Block', schema);
  return {
    insert: async (block) => {
      try {
        await collection.insertOne(toDocument(block) as never);
        return 'inserted';
      } catch (error) {
        if (isDuplicateKey(error)) return 'taken';
        throw error;
      }
    },
    find: async (shard, n) => {
      const document = await collection.findOne<BlockDocument>({ _id: blockId(shard, n) as never }, DURABLE);
      return document === null ? undefined : toBlock(document);
    },
    after: async function* (shard, n) {
      const cursor = collection
        .find<BlockDocument>({ shard, n: { $gt: n } }, DURABLE)
        .sort({ n: 1 })
        .batchSize(BLOCKS_PER_BATCH);
      for await (const document of cursor) yield toBlock(document);
    },
  };
};
