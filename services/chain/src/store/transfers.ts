import { type Connection, Schema } from 'mongoose';
import { type SafeTransfer, type TransferKey, transferKey } from '../domain/transfer.ts';

/** A transfer as it is stored. */
export type TransferDocument = Omit<SafeTransfer, 'amount'> & { _id: string; amount: string };

export const transferFields = {
  chainId: { type: Number, required: true },
  txHash: { type: String, required: true },
  logIndex: { type: Number, required: true },
  direction: { type: String, required: true },
  accountId: { type: String, required: true },
  counterparty: { type: String, required: true },
  token: { type: String, required: true },
  amount: { type: String, required: true },
  blockNumber: { type: Number, required: true },
  blockHash: { type: String, required: true },
} as const;

const schema = new Schema<TransferDocument>({ _id: String, ...transferFields }, { collection: 'transfers', versionKey: false });
// Finds what was booked from a block on, and what an account's balance consists of.
schema.index({ chainId: 1, blockNumber: 1 });
schema.index({ accountId: 1, token: 1 });

/** The changes of a transfer to an account. */
export type AccountTransfer = Pick<SafeTransfer, 'accountId' | 'token' | 'direction' | 'amount'>;

export const fromTransfer = ({ amount, ...transfer }: SafeTransfer) => ({ ...transfer, amount: amount.toString() });

export const toTransfer = ({ amount, ...transfer }: Omit<TransferDocument, '_id'>): SafeTransfer => ({
  ...transfer,
  amount: BigInt(amount),
});

/** Every transfer to or from a Safe in the finalized blocks up to the cursor, whether the ledger took it or not. */
export const createTransferStore = (connection: Connection) => {
  const model = connection.model<TransferDocument>('Transfer', schema);
  return {
    /** Stores transfers; those that are stored already are left as they are. */
    save: async (transfers: readonly SafeTransfer[]): Promise<void> => {
      if (transfers.length === 0) return;
      await model.bulkWrite(
        transfers.map((transfer) => ({
          updateOne: { filter: { _id: transferKey(transfer) }, update: { $setOnInsert: fromTransfer(transfer) }, upsert: true },
        })),
        { ordered: false },
      );
    },
    find: async (key: TransferKey): Promise<SafeTransfer | undefined> => {
      const found = await model.findById(transferKey(key), { _id: 0 }).lean<Omit<TransferDocument, '_id'>>();
      return found === null ? undefined : toTransfer(found);
    },
    /** The stored transfers of a chain from a block on, up to another one, in its order. */
    from: async (chainId: number, blockNumber: number, upTo = Number.MAX_SAFE_INTEGER): Promise<SafeTransfer[]> => {
      const found = await model
        .find({ chainId, blockNumber: { $gte: blockNumber, $lte: upTo } }, { _id: 0 })
        .sort({ blockNumber: 1, txHash: 1, logIndex: 1 })
        .lean<Omit<TransferDocument, '_id'>[]>();
      return found.map(toTransfer);
    },
    /** The first block after one that has stored transfers. */
    nextBlock: async (chainId: number, blockNumber: number): Promise<number | undefined> => {
      const found = await model
        .findOne({ chainId, blockNumber: { $gt: blockNumber } }, { _id: 0, blockNumber: 1 })
        .sort({ blockNumber: 1 })
        .lean<Pick<TransferDocument, 'blockNumber'>>();
      return found?.blockNumber;
    },
    /** The newest stored transfer of a chain before a block. */
    lastBefore: async (chainId: number, blockNumber: number): Promise<SafeTransfer | undefined> => {
      const found = await model
        .findOne({ chainId, blockNumber: { $lt: blockNumber } }, { _id: 0 })
        .sort({ blockNumber: -1 })
        .lean<Omit<TransferDocument, '_id'>>();
      return found === null ? undefined : toTransfer(found);
    },
    /** Removes a transfer that is not part of the chain any more. */
    remove: async (transfer: SafeTransfer): Promise<void> => {
      await model.deleteOne({ _id: transferKey(transfer) });
    },
    /** Removes the transfers of a chain from a block on, before they are recorded again. */
    removeFrom: async (chainId: number, blockNumber: number): Promise<void> => {
      await model.deleteMany({ chainId, blockNumber: { $gte: blockNumber } });
    },
    /** The stored transfers of accounts on a chain up to a block, in no particular order. */
    ofAccounts: async (chainId: number, accountIds: readonly string[], blockNumber: number): Promise<AccountTransfer[]> => {
      const filter = { accountId: { $in: accountIds }, chainId, blockNumber: { $lte: blockNumber } };
      const found = await model.find(filter, { accountId: 1, token: 1, direction: 1, amount: 1 }).lean<TransferDocument[]>();
      return found.map(({ accountId, token, direction, amount }) => ({ accountId, token, direction, amount: BigInt(amount) }));
    },
  };
};

export type TransferStore = ReturnType<typeof createTransferStore>;
