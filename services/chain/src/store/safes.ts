import type { Hex } from '@florin/evm/hex';
import { type Connection, Schema } from 'mongoose';
import type { AccountSafe, SafeFinding } from '../domain/account-safe.ts';

/** An account's Safe with the owner's signature over the set-up. */
export type StoredSafe = AccountSafe & { setUp: { nonce: string; signature: Hex; tries: number } };

type SafeDocument = Omit<StoredSafe, 'accountId'> & { _id: string };

const schema = new Schema<SafeDocument>(
  {
    _id: String,
    chainId: { type: Number, required: true },
    safe: { type: String, required: true },
    owner: { type: String, required: true },
    platform: { type: String, required: true },
    status: { type: String, required: true },
    jobId: { type: String, required: true },
    findings: { type: [String], required: true },
    inspectedBlock: Number,
    inspectedAt: Date,
    verifiedAt: Date,
    setUp: {
      type: new Schema(
        { nonce: { type: String, required: true }, signature: { type: String, required: true }, tries: { type: Number, required: true } },
        { _id: false },
      ),
      required: true,
    },
  },
  { collection: 'safes', versionKey: false },
)
  .index({ chainId: 1, status: 1, _id: 1 })
  .index({ chainId: 1, status: 1, inspectedAt: 1 });

const toSafe = ({ _id: accountId, ...rest }: SafeDocument): StoredSafe => ({ accountId, ...rest });

/** The accounts' Safes, one document each. */
export const createSafeStore = (connection: Connection) => {
  const model = connection.model<SafeDocument>('AccountSafe', schema);
  const find = async (accountId: string): Promise<StoredSafe | undefined> => {
    const found = await model.findById(accountId).lean<SafeDocument>();
    return found === null ? undefined : toSafe(found);
  };
  return {
    find,
    /** Stores a signed set-up, unless one is being carried out or is verified. @returns what is stored then */
    request: async ({ accountId, ...safe }: StoredSafe): Promise<StoredSafe> => {
      await model.updateOne({ _id: accountId }, { $setOnInsert: safe }, { upsert: true });
      await model.updateOne({ _id: accountId, status: 'deviating' }, { $set: safe });
      const stored = await find(accountId);
      if (stored === undefined) throw new Error('a Safe that was inserted is gone');
      return stored;
    },
    /** Safes whose set-up is being carried out. */
    relaying: async (chainId: number, limit: number): Promise<StoredSafe[]> =>
      (await model.find({ chainId, status: 'relaying' }).sort({ _id: 1 }).limit(limit).lean<SafeDocument[]>()).map(toSafe),
    /** Has the set-up carried out once more by another job. */
    retry: async ({ accountId, jobId }: StoredSafe, next: { jobId: string; tries: number }): Promise<void> => {
      await model.updateOne({ _id: accountId, status: 'relaying', jobId }, { $set: { jobId: next.jobId, 'setUp.tries': next.tries } });
    },
    /** Records what an inspection found at the end of a set-up. */
    inspected: async (
      { accountId, jobId }: StoredSafe,
      found: { findings: readonly SafeFinding[]; block: number; at: Date },
    ): Promise<void> => {
      const { findings, block: inspectedBlock, at } = found;
      const end = findings.length === 0 ? { status: 'verified', verifiedAt: at } : { status: 'deviating' };
      const set = { ...end, findings: [...findings], inspectedBlock, inspectedAt: at };
      await model.updateOne({ _id: accountId, status: 'relaying', jobId }, { $set: set });
    },
    /** Verified Safes that were inspected before a time, those that have waited longest first. */
    inspectedBefore: async (chainId: number, time: Date, limit: number): Promise<StoredSafe[]> =>
      (
        await model
          .find({ chainId, status: 'verified', $or: [{ inspectedAt: { $lt: time } }, { inspectedAt: { $exists: false } }] })
          .sort({ inspectedAt: 1 })
          .limit(limit)
          .lean<SafeDocument[]>()
      ).map(toSafe),
    /** Records what the inspection of a verified Safe found. */
    inspectedAgain: async (
      { accountId, jobId }: StoredSafe,
      found: { findings: readonly SafeFinding[]; block: number; at: Date },
    ): Promise<void> => {
      const { findings, block: inspectedBlock, at: inspectedAt } = found;
      const status = findings.length === 0 ? 'verified' : 'deviating';
      const set = { status, findings: [...findings], inspectedBlock, inspectedAt };
      await model.updateOne({ _id: accountId, status: 'verified', jobId }, { $set: set });
    },
  };
};

export type SafeStore = ReturnType<typeof createSafeStore>;
