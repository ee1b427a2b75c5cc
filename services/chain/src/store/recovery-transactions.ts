import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import type { BackupKey, SafeControl } from '@florin/evm/safe';
import { type Connection, Schema } from 'mongoose';
import type { RecoveryStatus, RecoveryTransaction } from '../domain/recovery.ts';
import { delaySchema } from './safe-plans.ts';

type RecoveryDocument = Omit<RecoveryTransaction, 'id' | 'transaction'> & {
  _id: string;
  chainId: number;
  transaction: Omit<RecoveryTransaction['transaction'], 'chainId' | 'safeTxGas' | 'nonce'> & { safeTxGas: string; nonce: string };
  outbox?: OutboxEvent[];
  relayed?: number;
};

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

export const backupSchema = new Schema<BackupKey>({ address: text, delay: { type: delaySchema, required: true } }, { _id: false });

const schema = new Schema<RecoveryDocument>(
  {
    _id: String,
    kind: text,
    accountId: text,
    userId: text,
    wallet: text,
    chainId: number,
    transaction: {
      type: new Schema({ safe: text, to: text, data: text, operation: number, safeTxGas: text, nonce: text }, { _id: false }),
      required: true,
    },
    signer: text,
    provenKey: String,
    status: text,
    control: new Schema<SafeControl>({ owner: text, delay: { type: delaySchema, required: true }, backup: backupSchema }, { _id: false }),
    exchange: new Schema(
      { call: { type: new Schema({ module: text, to: text, data: text }, { _id: false }), required: true }, queueNonce: number },
      { _id: false },
    ),
    executableAt: Date,
    expiresAt: { type: Date, required: true },
    signature: String,
    proof: String,
    sent: Boolean,
    createdAt: { type: Date, required: true },
    endedAt: Date,
    outbox: outboxField,
  },
  { collection: 'recovery_transactions', versionKey: false },
)
  .index({ chainId: 1, status: 1, _id: 1 })
  .index({ accountId: 1, createdAt: 1 })
  .index(outboxIndex);

const toTransaction = ({
  _id: id,
  chainId,
  transaction,
  outbox: _outbox,
  relayed: _relayed,
  ...rest
}: RecoveryDocument): RecoveryTransaction => ({
  id,
  ...rest,
  transaction: { ...transaction, chainId, safeTxGas: BigInt(transaction.safeTxGas), nonce: BigInt(transaction.nonce) },
});

/** The part of a change that tells of it. */
const told = (event: OutboxEvent | undefined) => (event === undefined ? {} : { $push: { outbox: event } });

/** The transactions of recoveries, one document each. */
export const createRecoveryTransactionStore = (connection: Connection) => {
  const model = connection.model<RecoveryDocument>('RecoveryTransaction', schema);
  return {
    /** For the outbox relay. */
    model,
    add: async ({ id, transaction: { chainId, ...transaction }, ...rest }: RecoveryTransaction): Promise<void> => {
      const kept = { ...transaction, safeTxGas: transaction.safeTxGas.toString(), nonce: transaction.nonce.toString() };
      await model.create({ _id: id, ...rest, chainId, transaction: kept, outbox: [] });
    },
    find: async (id: string): Promise<RecoveryTransaction | undefined> => {
      const found = await model.findById(id).lean<RecoveryDocument>();
      return found === null ? undefined : toTransaction(found);
    },
    /** Returns true if a transaction has failed: nobody will ever execute it. */
    hasFailed: async (id: string): Promise<boolean> => (await model.exists({ _id: id, status: 'failed' })) !== null,
    /** Moves a transaction on from the status in which it was read, with an event. @returns false if another call moved it since */
    move: async (
      { id, status }: Pick<RecoveryTransaction, 'id' | 'status'>,
      to: RecoveryStatus,
      more: Pick<RecoveryTransaction, 'signature' | 'proof' | 'endedAt'> = {},
      event?: OutboxEvent,
    ): Promise<boolean> => {
      const change = { $set: { status: to, ...more }, ...told(event) };
      return (await model.updateOne({ _id: id, status }, change)).modifiedCount === 1;
    },
    /** Records that a signed transaction is sent. @returns false if it has ended */
    markSent: async ({ id }: Pick<RecoveryTransaction, 'id'>): Promise<boolean> =>
      (await model.updateOne({ _id: id, status: 'signed' }, { $set: { sent: true } })).matchedCount === 1,
    /** signed → failed, with an event, unless it is marked as sent: nobody else has the platform's signature. */
    failUnsent: async ({ id }: Pick<RecoveryTransaction, 'id'>, endedAt: Date, event?: OutboxEvent): Promise<void> => {
      const change = { $set: { status: 'failed', endedAt }, ...told(event) };
      await model.updateOne({ _id: id, status: 'signed', sent: { $exists: false } }, change);
    },
    /** Records when a requested exchange can be executed. */
    setExecutableAt: async (id: string, executableAt: Date): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { executableAt } });
    },
    /** Up to `limit` transactions of a chain that are submitted or signed and whose ids come after `after`, by id. */
    underWay: async (chainId: number, after: string, limit: number): Promise<RecoveryTransaction[]> => {
      const open: readonly RecoveryStatus[] = ['submitted', 'signed'];
      return (
        await model
          .find({ chainId, status: { $in: open }, _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(limit)
          .lean<RecoveryDocument[]>()
      ).map(toTransaction);
    },
    /** The transactions of an account that the user has signed, the oldest first. */
    ofAccount: async (accountId: string): Promise<RecoveryTransaction[]> => {
      return (
        await model
          .find({ accountId, status: { $ne: 'offered' } })
          .sort({ createdAt: 1 })
          .lean<RecoveryDocument[]>()
      ).map(toTransaction);
    },
  };
};

export type RecoveryTransactionStore = ReturnType<typeof createRecoveryTransactionStore>;
