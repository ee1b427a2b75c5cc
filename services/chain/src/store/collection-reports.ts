import { isDuplicateKey } from '@florin/data/store';
import type { Hex } from '@florin/evm/hex';
import { type Connection, Schema } from 'mongoose';

/** How far settlement knows what has moved between Safes and the treasury on a chain. */
export type Reported = {
  chainId: number;
  /** The last block whose movements are reported. */
  number: number;
  hash: Hex;
  /** By symbol, the sum of all of them in the token's smallest unit: parts of a currency's minor unit count once they add up to one. */
  sums: Readonly<Record<string, string>>;
};

type ReportedDocument = Omit<Reported, 'chainId'> & { _id: string };

const schema = new Schema<ReportedDocument>(
  {
    _id: String,
    number: { type: Number, required: true },
    hash: { type: String, required: true },
    sums: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'collection_reports', versionKey: false, minimize: false },
);

/** One document for each chain. Each change is conditional on what was read, so that of two processes one makes it. */
export const createCollectionReportStore = (connection: Connection) => {
  const model = connection.model<ReportedDocument>('CollectionReport', schema);
  return {
    find: async (chainId: number): Promise<Reported | undefined> => {
      const found = await model.findById(String(chainId)).lean<ReportedDocument>();
      if (found === null) return undefined;
      const { _id, ...rest } = found;
      return { chainId, ...rest };
    },
    /** @returns false if it is not what was read */
    move: async (from: Reported | undefined, { chainId, ...to }: Reported): Promise<boolean> => {
      if (from !== undefined)
        return (await model.updateOne({ _id: String(chainId), number: from.number, hash: from.hash }, { $set: to })).modifiedCount === 1;
      try {
        await model.create({ _id: String(chainId), ...to });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },
  };
};

export type CollectionReportStore = ReturnType<typeof createCollectionReportStore>;
