import type { Hex } from '@florin/evm/hex';
import { type Connection, Schema } from 'mongoose';
import type { AccountSafe, SafeFinding } from '../domain/account-safe.ts';

/** An account's Safe with the owner's signature over the set-up. */
export type StoredSafe = AccountSafe & { setUp: { nonce: string; signature: Hex; tries: number } };

/** The result of an inspection. */
export type Inspection = Pick<AccountSafe, 'findings' | 'historyBlock'> & { block: number; at: Date };

/** `triedAt`: when the last inspection of a Safe whose set-up has ended began. */
type SafeDocument = Omit<StoredSafe, 'accountId'> & { _id: string; triedAt?: Date };

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
    historyBlock: Number,
    inspectedAt: Date,
    triedAt: Date,
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
  .index({ chainId: 1, triedAt: 1 });

const toSafe = ({ _id: accountId, triedAt: _triedAt, ...rest }: SafeDocument): StoredSafe => ({ accountId, ...rest });

/** Pause between two inspections of a Safe the first of which failed. */
const RETRY_MS = 60_000;

/** Nothing can make a Safe with this finding what an account needs. */
const FINAL: SafeFinding = 'history_differs';

/** The accounts' Safes, one document each. */
export const createSafeStore = (connection: Connection) => {
  const model = connection.model<SafeDocument>('AccountSafe', schema);
  const find = async (accountId: string): Promise<StoredSafe | undefined> => {
    const found = await model.findById(accountId).lean<SafeDocument>();
    return found === null ? undefined : toSafe(found);
  };
  return {
    find,
    /** Stores a signed set-up, unless one is being carried out, is verified, or is in vain. @returns what is stored then */
    request: async ({ accountId, ...safe }: StoredSafe): Promise<StoredSafe> => {
      await model.updateOne({ _id: accountId }, { $setOnInsert: safe }, { upsert: true });
      await model.updateOne({ _id: accountId, status: 'deviating', findings: { $ne: FINAL } }, { $set: safe });
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
    /**
     * Records what an inspection found. The first time without findings is the time of the verification.
     * @param safe as it was read: a Safe that changed since stays as it is
     */
    inspected: async ({ accountId, jobId, status, verifiedAt }: StoredSafe, found: Inspection): Promise<void> => {
      const { findings, historyBlock, block: inspectedBlock, at: inspectedAt } = found;
      const end = findings.length === 0 ? { status: 'verified', verifiedAt: verifiedAt ?? inspectedAt } : { status: 'deviating' };
      const read = historyBlock === undefined ? {} : { historyBlock };
      const set = { ...end, ...read, findings: [...findings], inspectedBlock, inspectedAt, triedAt: inspectedAt };
      await model.updateOne({ _id: accountId, status, jobId }, { $set: set });
    },
    /**
     * Safes whose set-up has ended and that were inspected before a time, those that have waited longest first. One whose inspection fails is not
     * returned again for a minute, so that it does not keep others waiting.
     */
    takeInspectedBefore: async (chainId: number, time: Date, at: Date, limit: number): Promise<StoredSafe[]> => {
      const found = await model
        .find({
          chainId,
          status: { $in: ['verified', 'deviating'] },
          findings: { $ne: FINAL },
          $and: [
            { $or: [{ inspectedAt: { $lt: time } }, { inspectedAt: { $exists: false } }] },
            { $or: [{ triedAt: { $lt: new Date(at.getTime() - RETRY_MS) } }, { triedAt: { $exists: false } }] },
          ],
        })
        .sort({ triedAt: 1 })
        .limit(limit)
        .lean<SafeDocument[]>();
      await model.updateMany({ _id: { $in: found.map(({ _id }) => _id) } }, { $set: { triedAt: at } });
      return found.map(toSafe);
    },
  };
};

export type SafeStore = ReturnType<typeof createSafeStore>;
