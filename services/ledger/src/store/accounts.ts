import { hash } from 'node:crypto';
import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { createBatchedReads, isDuplicateKey, rawCollection } from '@florin/data/store';
import type { Runtime } from '@florin/rpc/runtime';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Account, AccountStatus } from '../domain/account.ts';
import type { AccountChange } from '../domain/projection.ts';

export type AccountDocument = Omit<Account, 'id'> & {
  _id: string;
  inputHash: string;
  /** Checksum of what never changes; absent in records that release 0.2.0 wrote. */
  sum?: string;
  /** Wallets that were revoked as owners (EIP-55): one of them does not become a trusted owner by an exchange. */
  revokedOwners?: readonly string[];
  /** Ids of the replacements of its owner that were told: a repeat changes nothing, also after a later one. */
  ownerReplacements?: readonly string[];
  /** Place in the journal of the entry that set `status`; 0 while that is the record itself. */
  asOf: number;
  outbox: OutboxEvent[];
  relayed?: number;
};

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
    approvedAt: Date,
    safeConfirmedAt: Date,
    safeRevokedAt: Date,
    safeHistoryDiffersAt: Date,
    decidedBlockAt: Date,
    safeOwnerRevokedAt: Date,
    safeReplacementAddress: String,
    exchangedOwnerAddress: String,
    successorAccountId: String,
    formerAccountId: String,
    revokedOwners: { type: [String], default: undefined },
    ownerReplacements: { type: [String], default: undefined },
    collectionLimits: { type: [new Schema({ token: String, amount: String }, { _id: false })], default: undefined },
    provisionedAt: Date,
    closedAt: Date,
    inputHash: { type: String, required: true },
    sum: String,
    asOf: { type: Number, required: true },
    outbox: outboxField,
  },
  { collection: 'accounts', versionKey: false },
)
  .index({ userId: 1, createdAt: -1 })
  .index({ safeAddress: 1 })
  .index({ status: 1, _id: 1 }, { partialFilterExpression: { status: 'blocked' } })
  .index(outboxIndex);

const toAccount = ({
  _id,
  inputHash: _inputHash,
  sum: _sum,
  revokedOwners: _revokedOwners,
  ownerReplacements: _ownerReplacements,
  asOf: _asOf,
  outbox: _outbox,
  relayed: _relayed,
  ...account
}: AccountDocument): Account => ({
  id: _id,
  ...account,
});

/** A wallet (EIP-55) that the user of an account has lost. */
type LostOwner = {
  owner: string;
  /** The wallet that takes its place (EIP-55); undefined: none is known. */
  replacement?: string;
  /** Id of the replacement; undefined: it has none. */
  replacementId?: string;
};

/** Matches an account whose Safe belongs to a wallet today. */
const isOwnedBy = (owner: string) => ({
  $or: [{ exchangedOwnerAddress: owner }, { exchangedOwnerAddress: { $exists: false }, safeOwnerAddress: owner }],
});

/** Reveals to the audit that a record was changed: it follows from nothing else. */
const sumOf = (account: Account, inputHash: string): string => {
  const { id, userId, kycProfileId, safeOwnerAddress, safeAddress, chainId, chainName, reference, createdAt } = account;
  const owner = [userId, kycProfileId, safeOwnerAddress, safeAddress, chainId, chainName, reference];
  const text = JSON.stringify([id, ...owner, account.nativeCurrency, account.additionalCurrencies, createdAt, inputHash]);
  return hash('sha256', text, 'base64url');
};

/** The record of an account that is being opened, with events to tell. */
export const accountDocument = (opened: Account, inputHash: string, outbox: OutboxEvent[]): AccountDocument => {
  const { id, ...account } = opened;
  const additionalCurrencies = [...account.additionalCurrencies];
  return { ...account, _id: id, additionalCurrencies, inputHash, sum: sumOf(opened, inputHash), asOf: 0, outbox };
};

export type Accounts = {
  /** Inserts an account and its event, unless there is one of that id; returns the stored one and what it was opened with. */
  open: (account: Account, inputHash: string) => Promise<{ account: Account; inputHash: string }>;
  find: (accountId: string) => Promise<Account | undefined>;
  /** The user's account; the newest, should there be several. */
  findByUser: (userId: string) => Promise<Account | undefined>;
  /** All accounts of a user, the newest first. */
  listByUser: (userId: string) => Promise<Account[]>;
  /** The accounts whose Safes have one of these addresses (EIP-55) on a chain. */
  findBySafes: (chainId: number, safeAddresses: readonly string[]) => Promise<Account[]>;
  /** Up to `limit` accounts whose ids come after `after`, by id: all, or the blocked ones. */
  page: (after: string | undefined, limit: number, isBlocked: boolean) => Promise<Account[]>;
  /** Writes what the journal decided, in its order, with an event each if they are announced. What a record has seen already leaves it as it is. */
  saveStatuses: (changes: readonly AccountChange[], announce: boolean) => Promise<void>;
  /** Records when an account was approved first. @returns the account then */
  approve: (accountId: string, at: Date) => Promise<Account | undefined>;
  /** Takes an approval back. */
  withdrawApproval: (accountId: string) => Promise<void>;
  /** Records that an account's Safe was confirmed, until it is revoked, and what it allows to be collected; nothing if its history differs. @returns the account then */
  confirmSafe: (accountId: string, at: Date, limits: NonNullable<Account['collectionLimits']>) => Promise<Account | undefined>;
  /** Records that an account's Safe was revoked, until it is confirmed, or for ever if its history differs. @returns the account then */
  revokeSafe: (accountId: string, at: Date, historyDiffers: boolean) => Promise<Account | undefined>;
  /** Records that somebody has decided to block an account, unless it has a successor. @returns the account then */
  decideBlock: (accountId: string, at: Date) => Promise<Account | undefined>;
  /** Takes that back. */
  withdrawBlock: (accountId: string) => Promise<void>;
  /**
   * Names the successor of an account whose Safe's history differs, whose owner is not revoked, and which nobody has decided to block: in one write, so that such a
   * change is seen or sees it.
   * @returns the account then
   */
  nameSuccessor: (accountId: string, successorAccountId: string) => Promise<Account | undefined>;
  /**
   * Records that an account's Safe belongs to a wallet that its user has lost; if it belongs to another one, nothing. A replacement that is lost in turn is followed by
   * its own. An owner that takes the place of its replacement is back: nothing is lost any more.
   * @returns the account then
   */
  revokeSafeOwner: (accountId: string, lost: LostOwner, at: Date) => Promise<Account | undefined>;
  /**
   * Records that an account's Safe belongs to another wallet (EIP-55), unless it does not belong to the former one. One that was revoked before is lost at once.
   * @returns the account then
   */
  exchangeSafeOwner: (accountId: string, former: string, owner: string, at: Date) => Promise<Account | undefined>;
  /** For the outbox relay. */
  model: Model<AccountDocument>;
};

export const createAccounts = (connection: Connection, runtime: Pick<Runtime, 'now' | 'newId'>): Accounts => {
  const model = connection.model<AccountDocument>('Account', schema);

  const event = (type: string, at: Date, accountId: string, status: AccountStatus, userId?: string): OutboxEvent => ({
    id: runtime.newId(),
    type,
    at,
    payload: { accountId, status, ...(userId === undefined ? {} : { userId }) },
  });

  const statusUpdate = ({ accountId, status, was, at, position }: AccountChange, announce: boolean) => {
    const dates = { ...(was === 'account.activated' ? { provisionedAt: at } : {}), ...(status === 'closed' ? { closedAt: at } : {}) };
    return {
      updateOne: {
        filter: { _id: accountId, asOf: { $lt: position } },
        update: {
          $set: { status, asOf: position, updatedAt: at, ...dates },
          ...(announce ? { $push: { outbox: event(was, at, accountId, status) } } : {}),
        },
      },
    };
  };

  const read = createBatchedReads(rawCollection(model), { projection: { outbox: 0, relayed: 0 } });

  /** Changes an account that lacks a fact. */
  const record = async (accountId: string, fact: keyof Account, change: object, where: object = {}): Promise<Account | undefined> => {
    await model.updateOne({ _id: accountId, ...where, [fact]: { $exists: false } }, change);
    const document = await model.findById(accountId).lean<AccountDocument>();
    return document === null ? undefined : toAccount(document);
  };

  return {
    model,
    open: async (opened, inputHash) => {
      const { id, createdAt, status, userId } = opened;
      try {
        await model.create(accountDocument(opened, inputHash, [event('account.opened', createdAt, id, status, userId)]));
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const stored = await model.findById(id).lean<AccountDocument>();
      if (stored === null) throw new Error('an account that was inserted is gone');
      return { account: toAccount(stored), inputHash: stored.inputHash };
    },
    find: async (accountId) => {
      const document = await read(accountId);
      return document === undefined ? undefined : toAccount(document);
    },
    findByUser: async (userId) => {
      const document = await model.findOne({ userId }).sort({ createdAt: -1, _id: -1 }).lean<AccountDocument>();
      return document === null ? undefined : toAccount(document);
    },
    listByUser: async (userId) => (await model.find({ userId }).sort({ createdAt: -1, _id: -1 }).lean<AccountDocument[]>()).map(toAccount),
    findBySafes: async (chainId, safeAddresses) =>
      (await model.find({ safeAddress: { $in: safeAddresses }, chainId }).lean<AccountDocument[]>()).map(toAccount),
    page: async (after, limit, isBlocked) => {
      const found = await model
        .find({ ...(after === undefined ? {} : { _id: { $gt: after } }), ...(isBlocked ? { status: 'blocked' } : {}) })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<AccountDocument[]>();
      return found.map(toAccount);
    },
    approve: (accountId, at) => record(accountId, 'approvedAt', { $set: { approvedAt: at } }),
    confirmSafe: async (accountId, at, limits) => {
      const collectionLimits = limits.map(({ token, amount }) => ({ token, amount }));
      const change = collectionLimits.length === 0 ? { $unset: { collectionLimits: 1 } } : { $set: { collectionLimits } };
      const where = { safeHistoryDiffersAt: { $exists: false } };
      await model.updateOne({ _id: accountId, ...where }, change);
      return record(accountId, 'safeConfirmedAt', { $set: { safeConfirmedAt: at }, $unset: { safeRevokedAt: 1 } }, where);
    },
    revokeSafe: async (accountId, at, historyDiffers) => {
      // First, so that no confirmation comes after the revocation.
      if (historyDiffers) await record(accountId, 'safeHistoryDiffersAt', { $set: { safeHistoryDiffersAt: at } });
      return record(accountId, 'safeRevokedAt', { $set: { safeRevokedAt: at }, $unset: { safeConfirmedAt: 1 } });
    },
    nameSuccessor: (accountId, successorAccountId) => {
      const isAbsent = { $exists: false };
      const isReplaceable = { safeHistoryDiffersAt: { $exists: true }, safeOwnerRevokedAt: isAbsent, decidedBlockAt: isAbsent };
      return record(accountId, 'successorAccountId', { $set: { successorAccountId } }, isReplaceable);
    },
    decideBlock: (accountId, at) =>
      record(accountId, 'decidedBlockAt', { $set: { decidedBlockAt: at } }, { successorAccountId: { $exists: false } }),
    withdrawBlock: async (accountId) => {
      await model.updateOne({ _id: accountId }, { $unset: { decidedBlockAt: 1 } });
    },
    revokeSafeOwner: async (accountId, { owner, replacement, replacementId }, at) => {
      const isNew = { _id: accountId, ...(replacementId === undefined ? {} : { ownerReplacements: { $ne: replacementId } }) };
      // First, so that an exchange to it that happens now either is seen below or sees it.
      await model.updateOne(isNew, { $addToSet: { revokedOwners: owner } });
      if (replacement !== undefined) {
        const change = { $set: { safeReplacementAddress: replacement } };
        const isFirst = { safeReplacementAddress: { $exists: false }, ...isOwnedBy(owner) };
        await model.updateOne({ ...isNew, ...isFirst }, change);
        await model.updateOne({ ...isNew, safeReplacementAddress: owner }, change);
        // Of an account that an earlier release revoked, no replacement is known.
        const isKnown = [
          { safeReplacementAddress: replacement },
          { safeReplacementAddress: { $exists: false }, safeOwnerRevokedAt: { $exists: true } },
        ];
        const isBack = { ...isNew, $and: [{ $or: isKnown }, isOwnedBy(replacement)] };
        // The replacement stays: if an exchange to the one that it takes the place of still happens, the next one follows from it.
        await model.updateOne(isBack, { ...change, $unset: { safeOwnerRevokedAt: 1 }, $pull: { revokedOwners: replacement } });
      }
      const isLost = { ...isNew, ...isOwnedBy(owner) };
      const account = await record(accountId, 'safeOwnerRevokedAt', { $set: { safeOwnerRevokedAt: at } }, isLost);
      if (replacementId !== undefined) await model.updateOne({ _id: accountId }, { $addToSet: { ownerReplacements: replacementId } });
      return account;
    },
    exchangeSafeOwner: async (accountId, former, owner, at) => {
      const isFormers = { _id: accountId, ...isOwnedBy(former) };
      await model.updateOne(
        { ...isFormers, revokedOwners: { $ne: owner } },
        { $set: { exchangedOwnerAddress: owner }, $unset: { safeOwnerRevokedAt: 1, safeReplacementAddress: 1 } },
      );
      await model.updateOne(isFormers, { $set: { exchangedOwnerAddress: owner, safeOwnerRevokedAt: at } });
      const document = await model.findById(accountId).lean<AccountDocument>();
      return document === null ? undefined : toAccount(document);
    },
    withdrawApproval: async (accountId) => {
      await model.updateOne({ _id: accountId }, { $unset: { approvedAt: 1 } });
    },
    saveStatuses: async (changes, announce) => {
      const updates = changes
        // Opening wrote the record itself.
        .filter(({ was }) => was !== 'account.opened')
        // By account, as the relay of the outboxes writes: an engine that locks documents until the end of a write then never waits in a circle.
        .toSorted((a, b) => (a.accountId < b.accountId ? -1 : Number(a.accountId > b.accountId)))
        .map((change) => statusUpdate(change, announce));
      if (updates.length > 0) await model.bulkWrite(updates, { ordered: true });
    },
  };
};
