import type { Hex } from '@florin/evm/hex';
import { type Connection, Schema } from 'mongoose';

/** A proof of reserves, without its text. */
export type ReservesFile = {
  chainId: number;
  /** Block as of which it states balances. */
  blockNumber: number;
  blockHash: Hex;
  createdAt: Date;
  /** Number of parts that the text is stored in. */
  parts: number;
  /** Names the text among those that were begun as of the same block, by a process that was killed for example. Absent in files of earlier releases. */
  attempt?: string;
};

/** The text of a file. */
type ReservesText = Pick<ReservesFile, 'chainId' | 'blockNumber' | 'attempt'>;

type FileDocument = ReservesFile & { _id: string };
type PartDocument = { _id: string; chainId: number; blockNumber: number; attempt?: string; text: string; first?: string };

const fileSchema = new Schema<FileDocument>(
  {
    _id: String,
    chainId: { type: Number, required: true },
    blockNumber: { type: Number, required: true },
    blockHash: { type: String, required: true },
    createdAt: { type: Date, required: true },
    parts: { type: Number, required: true },
    attempt: String,
  },
  { collection: 'reserves', versionKey: false },
)
  .index({ chainId: 1, blockNumber: -1 })
  .index({ createdAt: -1 });

const partSchema = new Schema<PartDocument>(
  {
    _id: String,
    chainId: { type: Number, required: true },
    blockNumber: { type: Number, required: true },
    attempt: String,
    text: { type: String, required: true },
    first: String,
  },
  { collection: 'reserves_parts', versionKey: false },
).index({ chainId: 1, blockNumber: 1, first: 1 });

const toFile = ({ _id, ...file }: FileDocument): ReservesFile => file;
const partId = ({ chainId, blockNumber, attempt }: ReservesText, part: number): string =>
  [chainId, blockNumber, ...(attempt === undefined ? [] : [attempt]), part].join(':');

export type ReservesStore = {
  /** The newest file of a chain, or of all chains. */
  newest: (chainId?: number) => Promise<ReservesFile | undefined>;
  find: (chainId: number, blockNumber: number) => Promise<ReservesFile | undefined>;
  part: (file: ReservesText, part: number) => Promise<string | undefined>;
  /**
   * Parts first: a text without its file is not published, and is removed later.
   * @param first account of the first Safe in it; undefined without one
   */
  savePart: (file: ReservesText, part: number, text: string, first: string | undefined) => Promise<void>;
  /** The part of a file that has the line of an account, if the file has one. */
  partOf: (file: ReservesText, accountId: string) => Promise<string | undefined>;
  /** Publishes a file whose parts are stored, with one write: one as of its block that is published already stays, with its own text. */
  save: (file: ReservesFile) => Promise<void>;
  /** Removes all but the newest `keep` files of a chain, and parts that belong to none. */
  prune: (chainId: number, keep: number) => Promise<void>;
};

/** Published proofs of reserves. */
export const createReservesStore = (connection: Connection): ReservesStore => {
  const files = connection.model<FileDocument>('Reserves', fileSchema);
  const parts = connection.model<PartDocument>('ReservesPart', partSchema);
  const find: ReservesStore['find'] = async (chainId, blockNumber) => {
    const found = await files.findById(`${chainId}:${blockNumber}`).lean<FileDocument>();
    return found === null ? undefined : toFile(found);
  };
  return {
    find,
    newest: async (chainId) => {
      const found = await files
        .findOne(chainId === undefined ? {} : { chainId })
        .sort(chainId === undefined ? { createdAt: -1 } : { blockNumber: -1 })
        .lean<FileDocument>();
      return found === null ? undefined : toFile(found);
    },
    part: async (file, part) => (await parts.findById(partId(file, part)).lean<PartDocument>())?.text ?? undefined,
    savePart: async (file, part, text, first) => {
      const document = { ...file, text, ...(first === undefined ? {} : { first }) };
      await parts.replaceOne({ _id: partId(file, part) }, document, { upsert: true });
    },
    partOf: async ({ chainId, blockNumber, attempt = null }, accountId) => {
      const found = await parts
        .findOne({ chainId, blockNumber, attempt, first: { $lte: accountId } })
        .sort({ first: -1 })
        .lean<PartDocument>();
      return found?.text;
    },
    save: async ({ chainId, blockNumber, ...file }) => {
      await files.updateOne({ _id: `${chainId}:${blockNumber}` }, { $setOnInsert: { chainId, blockNumber, ...file } }, { upsert: true });
    },
    prune: async (chainId, keep) => {
      const kept = await files.find({ chainId }).sort({ blockNumber: -1 }).limit(keep).lean<FileDocument[]>();
      const numbers = kept.map(({ blockNumber }) => blockNumber);
      const [newest = 0] = numbers;
      const old = { chainId, blockNumber: { $nin: numbers, $lt: newest } };
      await files.deleteMany(old);
      await parts.deleteMany(old);
      const unpublished = kept.map(({ blockNumber, attempt = null }) => ({ chainId, blockNumber, attempt: { $ne: attempt } }));
      if (unpublished.length > 0) await parts.deleteMany({ $or: unpublished });
    },
  };
};
