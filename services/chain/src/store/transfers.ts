import { type Connection, Schema } from 'mongoose';
import { type SafeTransfer, transferKey } from '../domain/transfer.ts';

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
    /** The stored transfers of an account, in no particular order. */
    ofAccount: async (accountId: string): Promise<SafeTransfer[]> =>
      (await model.find({ accountId }, { _id: 0 }).lean<Omit<TransferDocument, '_id'>[]>()).map(toTransfer),
  };
};

export type TransferStore = ReturnType<typeof createTransferStore>;
