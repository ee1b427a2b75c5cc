import { createBatchedReads, isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { walletKeyOf } from '../domain/user.ts';

/** A wallet at one partner. */
export type WalletAtPartner = { wallet: string; partnerId: string };

type Document = {
  _id: string;
  partnerId: string;
  wallet: string;
  epoch: number;
  endedAt: Date;
  /** The end of the previous epoch. */
  cause: string;
  /** The epoch up to which the ends were announced to other processes. */
  announced?: number;
  /** True if the newest end is not announced yet. */
  unannounced?: boolean;
};

const schema = new Schema<Document>(
  {
    _id: String,
    partnerId: { type: String, required: true },
    wallet: { type: String, required: true },
    epoch: { type: Number, required: true },
    endedAt: { type: Date, required: true },
    cause: { type: String, required: true },
    announced: Number,
    unannounced: Boolean,
  },
  { collection: 'wallet_epochs', versionKey: false },
);
schema.index({ unannounced: 1 }, { sparse: true });
schema.index({ endedAt: 1 });

/** Most ended epochs of one wallet that are published. */
const MAX_PUBLISHED = 20;

/** The ends of one wallet's epochs: of those from `from`, inclusive, to `to`, exclusive. */
export type EndedEpochs = { wallet: string; partnerId: string; from: number; to: number };

/**
 * Epochs of wallets at partners. A session belongs to the epoch in which it was opened, and is usable only during it. Ending the epoch is one
 * write that ends any number of sessions.
 */
export type WalletEpochStore = {
  /** The current epoch of a wallet, 0 at first. */
  current: (owner: WalletAtPartner) => Promise<number>;
  /** The current epochs of several wallets. */
  currentOf: (owners: readonly WalletAtPartner[]) => Promise<number[]>;
  /**
   * Ends the current epoch of a wallet and marks the end as unannounced in the same write.
   * @param cause names the event that ends it; a repeat with the newest name has no effect
   */
  end: (owner: WalletAtPartner, cause: string, now: Date) => Promise<void>;
  /** Ends that are not announced yet, of one wallet or of all. */
  unannounced: (limit: number, owner?: WalletAtPartner) => Promise<EndedEpochs[]>;
  markAnnounced: (ended: EndedEpochs) => Promise<void>;
  /** Ends after `time`, at most `limit` wallets. */
  endedAfter: (time: Date, limit: number) => Promise<EndedEpochs[]>;
};

const idOf = ({ wallet, partnerId }: WalletAtPartner): string => `${partnerId}:${walletKeyOf(wallet)}`;

export const createWalletEpochStore = (connection: Connection): WalletEpochStore => {
  const model = connection.model<Document>('WalletEpoch', schema);
  const currentOf: WalletEpochStore['currentOf'] = async (owners) => {
    const ids = owners.map(idOf);
    const found = new Map((await model.find({ _id: { $in: ids } }, { epoch: 1 }).lean()).map(({ _id, epoch }) => [_id, epoch]));
    return ids.map((id) => found.get(id) ?? 0);
  };
  const read = createBatchedReads(rawCollection(model), { projection: { epoch: 1 } });
  return {
    currentOf,
    current: async (owner) => (await read(idOf(owner)))?.epoch ?? 0,
    end: async (owner, cause, now) => {
      const set = { partnerId: owner.partnerId, wallet: walletKeyOf(owner.wallet), endedAt: now, cause, unannounced: true };
      try {
        await model.updateOne({ _id: idOf(owner), cause: { $ne: cause } }, { $inc: { epoch: 1 }, $set: set }, { upsert: true });
      } catch (error) {
        // The document exists with this cause, so the write tried to insert another one.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    unannounced: async (limit, owner) => {
      const whose = owner === undefined ? {} : { _id: idOf(owner) };
      const found = await model
        .find({ ...whose, unannounced: true })
        .limit(limit)
        .lean();
      return found.map(({ wallet, partnerId, epoch, announced = 0 }) => ({ wallet, partnerId, from: announced, to: epoch }));
    },
    markAnnounced: async ({ to, ...owner }) => {
      await model.updateOne({ _id: idOf(owner), epoch: to }, { $set: { announced: to }, $unset: { unannounced: 1 } });
    },
    endedAfter: async (time, limit) => {
      const found = await model
        .find({ endedAt: { $gt: time } })
        .limit(limit)
        .lean();
      return found.map(({ wallet, partnerId, epoch }) => ({ wallet, partnerId, from: Math.max(0, epoch - MAX_PUBLISHED), to: epoch }));
    },
  };
};
