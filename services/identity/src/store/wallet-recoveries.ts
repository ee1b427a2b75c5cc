import { olderThan, type TimePlace } from '@florin/data/paging';
import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { RECOVERY_STATUSES, type RecoveryStatus, type WalletRecovery } from '../domain/wallet-recovery.ts';

type Document = Omit<WalletRecovery, 'id'> & { _id: string };

const text = { type: String, required: true } as const;
/** A text that may be empty. */
const maybe = { type: String, default: '' } as const;

const schema = new Schema<Document>(
  {
    _id: String,
    userId: text,
    lostWallet: text,
    replacementWallet: text,
    actor: text,
    reason: text,
    status: { ...text, enum: [...RECOVERY_STATUSES] },
    approvedBy: maybe,
    rejectedBy: maybe,
    failureCode: maybe,
    ownerRevoked: Boolean,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'wallet_recoveries', versionKey: false },
);
schema.index({ createdAt: -1, _id: -1 });
schema.index({ status: 1, createdAt: -1, _id: -1 });
schema.index({ userId: 1, createdAt: -1, _id: -1 });

export type RecoveryMove = Partial<Pick<WalletRecovery, 'approvedBy' | 'rejectedBy' | 'failureCode' | 'ownerRevoked'>> & {
  status: RecoveryStatus;
  updatedAt: Date;
};

export type WalletRecoveryStore = {
  /** Inserts a recovery, unless there is one of that id. @returns the stored one */
  create: (recovery: WalletRecovery) => Promise<WalletRecovery>;
  find: (id: string) => Promise<WalletRecovery | undefined>;
  /**
   * Moves a recovery on if it is in this state: one conditional write, so that one of several that race wins.
   * @returns it as it is afterwards; undefined when it was in another state
   */
  move: (id: string, from: RecoveryStatus, to: RecoveryMove) => Promise<WalletRecovery | undefined>;
  /** Up to `limit` completed recoveries of which the ledger was not told, oldest first: a later one may undo an earlier one. */
  untold: (limit: number) => Promise<WalletRecovery[]>;
  /** Newest first; of one user if one is given. */
  page: (query: {
    limit: number;
    before?: TimePlace | undefined;
    status?: RecoveryStatus | undefined;
    userId?: string | undefined;
  }) => Promise<WalletRecovery[]>;
};

const toRecovery = ({ _id, ...rest }: Document): WalletRecovery => ({ id: _id, ...rest });

export const createWalletRecoveryStore = (connection: Connection): WalletRecoveryStore => {
  const model = connection.model<Document>('WalletRecovery', schema);
  const find: WalletRecoveryStore['find'] = async (id) => {
    const found = await model.findById(id).lean();
    return found === null ? undefined : toRecovery(found);
  };
  return {
    find,
    create: async ({ id, ...rest }) => {
      try {
        await model.create({ _id: id, ...rest });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const stored = await find(id);
      if (stored === undefined) throw new Error('a recovery that was inserted is gone');
      return stored;
    },
    move: async (id, from, to) => {
      const moved = await model.findOneAndUpdate({ _id: id, status: from }, { $set: to }, { returnDocument: 'after' }).lean();
      return moved === null ? undefined : toRecovery(moved);
    },
    untold: async (limit) =>
      (
        await model
          .find({ status: 'completed', ownerRevoked: { $exists: false } })
          .sort({ createdAt: 1, _id: 1 })
          .limit(limit)
          .lean()
      ).map(toRecovery),
    page: async ({ limit, before, status, userId }) => {
      const found = await model
        .find({ ...olderThan(before), ...(status === undefined ? {} : { status }), ...(userId === undefined ? {} : { userId }) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean();
      return found.map(toRecovery);
    },
  };
};
