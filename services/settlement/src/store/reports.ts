import { rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** The verdict of a report that was made and checked. */
export type ReportVerdict = {
  /** SHA-256 of its signed lines, hexadecimal. */
  digest: string;
  /** The last day that it is about. */
  day: string;
  madeAt: Date;
  /** Thumbprint of the key of its signature. */
  key: string;
  /** Number of the differences that it names. */
  differences: number;
  /** True if it compares ledger and chain too. */
  comparesChain: boolean;
};

type Document = Omit<ReportVerdict, 'digest'> & { _id: string };

const schema = new Schema<Document>({ _id: String }, { collection: 'reports', versionKey: false, strict: false }).index({
  day: -1,
  madeAt: -1,
});

/** Verdicts of reports, one document each, which never changes. The reports themselves are files. */
export type ReportStore = {
  /** Records a verdict, once. */
  add: (verdict: ReportVerdict) => Promise<void>;
  /** Up to `limit` verdicts: those on the latest reported day first, of one day those that compare the chain, and the newest first. */
  latest: (limit: number) => Promise<ReportVerdict[]>;
};

export const createReportStore = (connection: Connection): ReportStore => {
  const collection = rawCollection(connection.model<Document>('Report', schema));
  return {
    add: async ({ digest, ...verdict }) => {
      await collection.updateOne({ _id: digest }, { $setOnInsert: verdict }, { upsert: true });
    },
    latest: async (limit) => {
      const found = await collection.find({}).sort({ day: -1, comparesChain: -1, madeAt: -1 }).limit(limit).toArray();
      return found.map(({ _id: digest, ...verdict }) => ({ digest, ...verdict }));
    },
  };
};
