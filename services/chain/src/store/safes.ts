import { createBatchedReads, rawCollection } from '@florin/data/store';
import type { Hex } from '@florin/evm/hex';
import { type Connection, Schema } from 'mongoose';
import type { Address } from 'viem';
import type { AccountSafe, SafeFinding } from '../domain/account-safe.ts';
import type { KnownSums } from '../domain/entry-sums.ts';
import { backupSchema } from './recovery-transactions.ts';
import { delaySchema } from './safe-plans.ts';

/** An account's Safe with the signatures over its set-up, joined as the Safe reads them. `sums`: those of its entries in the ledger that collecting has seen. */
export type StoredSafe = AccountSafe & { setUp: { nonce: string; signature: Hex; tries: number }; sums?: KnownSums };

/** The result of an inspection, and the time of the next one. */
export type Inspection = Pick<
  AccountSafe,
  'findings' | 'historyBlock' | 'delay' | 'recheckBlock' | 'frozen' | 'backup' | 'first' | 'storageDiffers'
> & {
  /** The owner who was found in the place of the former one. */
  owner?: Address;
  block: number;
  at: Date;
  dueAt: Date;
};

type SafeDocument = Omit<StoredSafe, 'accountId' | 'sums'> & {
  _id: string;
  /** When a Safe whose set-up has ended is to be inspected; absent before its first inspection by a release that records it. */
  dueAt?: Date;
  /** When to look next for what can be netted and collected; absent before the first time. */
  collectAt?: Date;
  sums?: SumsDocument;
  /** Times at which addresses became recipients of withdrawals, the newest last. */
  newRecipients?: Date[];
  /** The ledger knows of a history that differs. */
  historyTold?: true;
};

type SumsDocument = {
  position: string;
  tokens: (Record<'token' | 'booked' | 'elsewhere' | 'refused' | 'netted', string> & { nettings: number })[];
};

const schema = new Schema<SafeDocument>(
  {
    _id: String,
    chainId: { type: Number, required: true },
    safe: { type: String, required: true },
    owner: { type: String, required: true },
    platform: { type: String, required: true },
    status: { type: String, required: true },
    delay: delaySchema,
    backup: backupSchema,
    first: new Schema<NonNullable<AccountSafe['first']>>({ owner: String, delay: delaySchema }, { _id: false }),
    jobId: { type: String, required: true },
    findings: { type: [String], required: true },
    inspectedBlock: Number,
    historyBlock: Number,
    inspectedAt: Date,
    recheckBlock: Number,
    frozen: Schema.Types.Mixed,
    storageDiffers: new Schema<NonNullable<AccountSafe['storageDiffers']>>({ since: Date, times: Number }, { _id: false }),
    dueAt: Date,
    collectAt: Date,
    sums: Schema.Types.Mixed,
    newRecipients: { type: [Date], default: undefined },
    historyTold: Boolean,
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
  .index({ chainId: 1, dueAt: 1 })
  .index({ chainId: 1, status: 1, inspectedAt: 1 })
  .index({ chainId: 1, collectAt: 1 })
  .index({ chainId: 1, recheckBlock: 1 }, { sparse: true });

const fromSums = ({ position, tokens }: KnownSums): SumsDocument => ({
  position,
  tokens: [...tokens].map(([token, { nettings, booked, elsewhere, refused, netted }]) => {
    return { token, nettings, booked: `${booked}`, elsewhere: `${elsewhere}`, refused: `${refused}`, netted: `${netted}` };
  }),
});

const toSums = ({ position, tokens }: SumsDocument): KnownSums => ({
  position,
  tokens: new Map(
    tokens.map(({ token, nettings, booked, elsewhere, refused, netted }) => [
      token,
      { nettings, booked: BigInt(booked), elsewhere: BigInt(elsewhere), refused: BigInt(refused), netted: BigInt(netted) },
    ]),
  ),
});

const toSafe = ({
  _id: accountId,
  dueAt: _dueAt,
  collectAt: _collectAt,
  newRecipients: _newRecipients,
  historyTold: _historyTold,
  sums,
  ...rest
}: SafeDocument): StoredSafe => ({
  accountId,
  ...rest,
  ...(sums === undefined ? {} : { sums: toSums(sums) }),
});

/** Pause between two inspections of a Safe the first of which failed, so that it does not keep others waiting. */
export const RETRY_MS = 60_000;

/** Nothing can make a Safe with this finding what an account needs. */
const FINAL: SafeFinding = 'history_differs';

const ENDED = { status: { $in: ['verified', 'deviating'] }, findings: { $ne: FINAL } } as const;

/** The accounts' Safes, one document each. */
export const createSafeStore = (connection: Connection) => {
  const model = connection.model<SafeDocument>('AccountSafe', schema);
  const read = createBatchedReads(rawCollection(model));
  const find = async (accountId: string): Promise<StoredSafe | undefined> => {
    const found = await read(accountId);
    return found && toSafe(found);
  };
  return {
    find,
    /** Stores a signed set-up, unless one is being carried out, is verified, or is in vain. @returns what is stored then */
    request: async ({ accountId, sums: _sums, ...safe }: StoredSafe): Promise<StoredSafe> => {
      await model.updateOne({ _id: accountId }, { $setOnInsert: safe }, { upsert: true });
      await model.updateOne({ _id: accountId, status: 'deviating', findings: { $ne: FINAL } }, { $set: safe, $unset: { dueAt: 1 } });
      const stored = await find(accountId);
      if (stored === undefined) throw new Error('a Safe that was inserted is gone');
      return stored;
    },
    /** Up to `limit` Safes whose set-up is being carried out and whose accounts' ids come after `after`, by id. */
    relaying: async (chainId: number, after: string, limit: number): Promise<StoredSafe[]> => {
      const found = await model
        .find({ chainId, status: 'relaying', _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<SafeDocument[]>();
      return found.map(toSafe);
    },
    /** Has the set-up carried out once more by another job. */
    retry: async ({ accountId, jobId }: StoredSafe, next: { jobId: string; tries: number }): Promise<void> => {
      await model.updateOne({ _id: accountId, status: 'relaying', jobId }, { $set: { jobId: next.jobId, 'setUp.tries': next.tries } });
    },
    /**
     * Records what an inspection found. The first time without findings is the time of the verification.
     * @param safe as it was read: a Safe that changed since stays as it is
     * @returns false when it did
     */
    inspected: async (
      { accountId, jobId, status, verifiedAt, recheckBlock, historyBlock, frozen: known }: StoredSafe,
      found: Inspection,
    ): Promise<boolean> => {
      const { findings, block: inspectedBlock, at: inspectedAt, recheckBlock: next, frozen, storageDiffers, ...rest } = found;
      const end = findings.length === 0 ? { status: 'verified', verifiedAt: verifiedAt ?? inspectedAt } : { status: 'deviating' };
      const recheck = next === undefined ? {} : { recheckBlock: next };
      const isFreed = frozen !== undefined && Object.keys(frozen).length === 0;
      const kept = frozen === undefined || isFreed ? {} : { frozen };
      const differing = storageDiffers === undefined ? {} : { storageDiffers };
      const { matchedCount } = await model.updateOne(
        {
          ...{ _id: accountId, status, jobId, recheckBlock: recheckBlock ?? { $exists: false } },
          ...{ historyBlock: historyBlock ?? { $exists: false }, frozen: known ?? { $exists: false } },
        },
        {
          $set: { ...end, ...rest, ...recheck, ...kept, ...differing, findings: [...findings], inspectedBlock, inspectedAt },
          $unset: {
            ...(next === undefined ? { recheckBlock: 1 } : {}),
            ...(isFreed ? { frozen: 1 } : {}),
            ...(storageDiffers === undefined ? { storageDiffers: 1 } : {}),
          },
        },
      );
      return matchedCount === 1;
    },
    /** Has a Safe inspected and collected from at once, and inspected again when a block is final. @returns false when there is no Safe of that account */
    recheck: async (accountId: string, block: number, at: Date): Promise<boolean> =>
      (await model.updateOne({ _id: accountId }, { $max: { recheckBlock: block }, $set: { dueAt: at, collectAt: at } })).matchedCount === 1,
    /** Has the history of all Safes on a chain read again from a block on. An inspection that has begun is not recorded. */
    rereadFrom: async (chainId: number, block: number): Promise<void> => {
      await model.updateMany({ chainId, historyBlock: { $gt: block } }, { $set: { historyBlock: block } });
    },
    /** Has a Safe netted, and what was refunded returned to it, at once. */
    collectSoon: async (accountId: string, at: Date): Promise<void> => {
      await model.updateOne({ _id: accountId }, { $set: { collectAt: at } });
    },
    /** Has a Safe inspected at once, and again until a block is final, whose token its issuer has frozen or freed in it. @returns false when there is none of that account */
    markFrozen: async (accountId: string, contract: Hex, block: number, at: Date): Promise<boolean> =>
      (await model.updateOne({ _id: accountId }, { $max: { [`frozen.${contract}`]: block }, $set: { dueAt: at } })).matchedCount === 1,
    /** Safes whose set-up has ended and whose inspection is due, the longest first. They are due again in a minute, unless it is recorded before. */
    takeDue: async (chainId: number, at: Date, limit: number): Promise<StoredSafe[]> => {
      const due = await model
        .find({ chainId, ...ENDED, dueAt: { $lte: at } })
        .sort({ dueAt: 1 })
        .limit(limit)
        .lean<SafeDocument[]>();
      const missing = limit - due.length;
      const former =
        missing === 0
          ? []
          : await model
              .find({ chainId, ...ENDED, dueAt: { $exists: false } })
              .limit(missing)
              .lean<SafeDocument[]>();
      const taken = [...due, ...former];
      if (taken.length === 0) return [];
      await model.updateMany({ _id: { $in: taken.map(({ _id }) => _id) } }, { $set: { dueAt: new Date(at.getTime() + RETRY_MS) } });
      return taken.map(toSafe);
    },
    /** Up to `limit` Safes with another history of which the ledger was not told. */
    historyUntold: async (chainId: number, limit: number): Promise<StoredSafe[]> => {
      const found = await model
        .find({ chainId, status: 'deviating', findings: FINAL, historyTold: { $exists: false } })
        .limit(limit)
        .lean<SafeDocument[]>();
      return found.map(toSafe);
    },
    /** Records that the ledger was told. */
    toldHistory: async (accountId: string): Promise<void> => {
      await model.updateOne({ _id: accountId }, { $set: { historyTold: true } });
    },
    /** Safes that were verified and not looked at since they became due: those that an alarm concerns, then those that have waited longest. */
    dueForCollection: async (chainId: number, at: Date, limit: number): Promise<StoredSafe[]> => {
      const isDue = { chainId, verifiedAt: { $exists: true }, $or: [{ collectAt: { $lte: at } }, { collectAt: { $exists: false } }] };
      const find = (filter: object) =>
        model
          .find({ ...isDue, ...filter })
          .sort({ collectAt: 1 })
          .limit(limit)
          .lean<SafeDocument[]>();
      const [leaving, all] = await Promise.all([find({ recheckBlock: { $exists: true } }), find({})]);
      return [...new Map([...leaving, ...all].map((safe) => [safe._id, safe])).values()].slice(0, limit).map(toSafe);
    },
    /** Counts a new recipient of an account's withdrawals. @returns false, and counts nothing, if `most` were counted after `since` */
    countRecipient: async (accountId: string, { most, since, at }: { most: number; since: Date; at: Date }): Promise<boolean> => {
      const later = { $filter: { input: { $ifNull: ['$newRecipients', []] }, cond: { $gt: ['$$this', since] } } };
      const { modifiedCount } = await model.updateOne(
        { _id: accountId, $expr: { $lt: [{ $size: later }, most] } },
        { $push: { newRecipients: { $each: [at], $slice: -most } } },
      );
      return modifiedCount === 1;
    },
    /** Keeps the sums of accounts' entries. They save work, and those that get lost are made again. */
    keepSums: async (known: ReadonlyMap<string, KnownSums>): Promise<void> => {
      if (known.size === 0) return;
      const updates = [...known].map(([_id, sums]) => ({ updateOne: { filter: { _id }, update: { $set: { sums: fromSums(sums) } } } }));
      await model.bulkWrite(updates, { ordered: false });
    },
    /** Records that Safes were looked at as they were read, and when to look again. Those that an alarm has concerned since stay due. */
    collected: async (looked: readonly StoredSafe[], collectAt: Date): Promise<void> => {
      for (const [recheckBlock, safes] of Map.groupBy(looked, (safe) => safe.recheckBlock)) {
        const _id = { $in: safes.map(({ accountId }) => accountId) };
        await model.updateMany({ _id, recheckBlock: recheckBlock ?? { $exists: false } }, { $set: { collectAt } });
      }
    },
    /** Treasuries that Safes on a chain let collect. */
    treasuries: async (chainId: number): Promise<Address[]> => (await model.distinct('delay.terms.treasury', { chainId })) as Address[],
    /** Returns true if a verified Safe was inspected last before a time. Attempts that failed do not count. */
    isLate: async (chainId: number, time: Date): Promise<boolean> =>
      (await model.exists({ chainId, status: 'verified', inspectedAt: { $lt: time } })) !== null,
    /** Returns true if a verified Safe was inspected at a time or after it. */
    wasInspected: async (chainId: number, time: Date): Promise<boolean> =>
      (await model.exists({ chainId, status: 'verified', inspectedAt: { $gte: time } })) !== null,
  };
};

export type SafeStore = ReturnType<typeof createSafeStore>;
