import { type OutboxEvent, outboxField, outboxIndex } from '@florin/kit/outbox';
import type { Runtime } from '@florin/kit/runtime';
import { isDuplicateKey } from '@florin/kit/store';
import { type Connection, type Model, Schema } from 'mongoose';
import { type Account, type AccountStatus, REACHABLE_FROM } from '../domain/account.ts';

export type AccountDocument = Omit<Account, 'id'> & { _id: string; inputHash: string; outbox: OutboxEvent[] };

const schema = new Schema<AccountDocument>(
  {
    _id: String,
    userId: { type: String, required: true },
    kycProfileId: { type: String, required: true },
    safeOwnerAddress: { type: String, required: true },
    safeAddress: { type: String, required: true },
    chainId: { type: Number, required: true },
    chainName: { type: String, required: true },
    reference: { type: String, required: true },
    nativeCurrency: { type: String, required: true },
    additionalCurrencies: { type: [String], required: true },
    status: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    provisionedAt: Date,
    closedAt: Date,
    inputHash: { type: String, required: true },
    outbox: outboxField,
  },
  { collection: 'accounts', versionKey: false },
)
  .index({ userId: 1, createdAt: -1 })
  .index(outboxIndex);

const toAccount = ({ _id, inputHash: _inputHash, outbox: _outbox, ...account }: AccountDocument): Account => ({ id: _id, ...account });

export type Accounts = {
  /** Inserts an account and its event, unless there is one of that id; answers the stored one and what it was opened with. */
  open: (account: Account, inputHash: string) => Promise<{ account: Account; inputHash: string }>;
  find: (accountId: string) => Promise<Account | undefined>;
  /** The user's account; the newest, should there be several. */
  findByUser: (userId: string) => Promise<Account | undefined>;
  /** provisioning → active. Answers undefined when the account is not in that state. */
  activate: (accountId: string) => Promise<Account | undefined>;
  /** Any state → closed, as the journal decided at that time. A closed account stays as it is. */
  close: (accountId: string, at: Date) => Promise<void>;
  /** For the outbox relay. */
  model: Model<AccountDocument>;
};

export const createAccounts = (connection: Connection, runtime: Pick<Runtime, 'now' | 'newId'>): Accounts => {
  const model = connection.model<AccountDocument>('Account', schema);

  const event = (type: string, at: Date, accountId: string, userId?: string): OutboxEvent => ({
    id: runtime.newId(),
    type,
    at,
    payload: { accountId, ...(userId === undefined ? {} : { userId }) },
  });

  /** One conditional write: of two that race, one finds the state gone. */
  const move = async (accountId: string, from: readonly AccountStatus[], change: Partial<Account>, type: string, at: Date) => {
    const document = await model
      .findOneAndUpdate(
        { _id: accountId, status: { $in: from } },
        { $set: { ...change, updatedAt: at }, $push: { outbox: event(type, at, accountId) } },
        { returnDocument: 'after' },
      )
      .lean<AccountDocument>();
    return document === null ? undefined : toAccount(document);
  };

  return {
    model,
    open: async ({ id, ...account }, inputHash) => {
      try {
        await model.create({
          ...account,
          _id: id,
          additionalCurrencies: [...account.additionalCurrencies],
          inputHash,
          outbox: [event('account.opened', account.createdAt, id, account.userId)],
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const stored = await model.findById(id).lean<AccountDocument>();
      if (stored === null) throw new Error('an account that was inserted is gone');
      return { account: toAccount(stored), inputHash: stored.inputHash };
    },
    find: async (accountId) => {
      const document = await model.findById(accountId).lean<AccountDocument>();
      return document === null ? undefined : toAccount(document);
    },
    findByUser: async (userId) => {
      const document = await model.findOne({ userId }).sort({ createdAt: -1, _id: -1 }).lean<AccountDocument>();
      return document === null ? undefined : toAccount(document);
    },
    activate: (accountId) => {
      const at = runtime.now();
      return move(accountId, ['provisioning'], { status: 'active', provisionedAt: at }, 'account.activated', at);
    },
    close: async (accountId, at) => {
      await move(accountId, REACHABLE_FROM.closed, { status: 'closed', closedAt: at }, 'account.closed', at);
    },
  };
};
