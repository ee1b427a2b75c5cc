import { LATEST } from '@florin/data/store';
import type { Amount } from '@florin/rpc/money';
import { type Connection, type Model, Schema } from 'mongoose';
import {
  BELOW_MINIMUM,
  type Movement,
  type MovementChange,
  type MovementFilter,
  type MovementList,
  type MovementUpdate,
} from '../domain/movement.ts';
import { insertMissing } from './insert-missing.ts';

export type MovementDocument = Omit<Movement, 'id'> & { _id: string; shard: string };

const schemaOf = (collection: MovementList) =>
  new Schema<MovementDocument>(
    {
      _id: String,
      shard: { type: String, required: true },
      accountId: { type: String, required: true },
      txHash: { type: String, required: true },
      logIndex: { type: Number, required: true },
      token: { type: String, required: true },
      amount: { type: String, required: true },
      decimals: { type: Number, required: true },
      currency: { type: String, required: true },
      status: { type: String, required: true },
      stage: { type: Number, required: true },
      kyt: { type: new Schema({ result: String, riskScore: Number, riskTier: String }, { _id: false }) },
      createdAt: { type: Date, required: true },
      ...{ resolvedAt: Date, resolvedBy: String, reversedAt: Date, processingAt: Date, endedAt: Date, reason: String },
      position: { type: Number, required: true },
      asOf: { type: Number, required: true },
    },
    { collection, versionKey: false },
  )
    .index({ accountId: 1, position: -1 })
    .index({ shard: 1, position: 1 })
    .index({ txHash: 1 })
    .index({ accountId: 1, status: 1, position: -1 }, { partialFilterExpression: { status: 'rejected' } });

const toDocument = (shard: string, { id, ...movement }: Movement): MovementDocument => ({ _id: id, shard, ...movement });

const toMovement = ({ _id, shard: _shard, ...movement }: MovementDocument): Movement => ({ id: _id, ...movement });

/** An update that only moves forward: a projector that lags behind, or starts over, takes nothing back. */
const toUpdate = ({ id, ...change }: MovementUpdate) => ({
  updateOne: { filter: { _id: id, stage: { $lt: change.stage } }, update: { $set: change } },
});

export type Movements = {
  save: (shard: string, changes: readonly MovementChange[]) => Promise<void>;
  find: (list: MovementList, id: string) => Promise<Movement | undefined>;
  findMany: (list: MovementList, ids: readonly string[]) => Promise<Movement[]>;
  /** Up to `limit` movements that a transaction carries, of all accounts, newest first. */
  ofTransaction: (list: MovementList, txHash: string, limit: number) => Promise<Movement[]>;
  /**
   * All deposits of an account that were rejected for a reason, from the least amounts of their tokens on, newest first: anyone can send any number of smaller
   * ones, and of ones too small to be screened.
   */
  rejectedDeposits: (accountId: string, leastOf: (token: string) => Amount) => Promise<Movement[]>;
  /** Up to `limit` movements of accounts of one shard that a filter selects, newest first, beginning after `before`. */
  page: (list: MovementList, accountIds: readonly string[], page: MovementPage) => Promise<Movement[]>;
};

type MovementPage = { limit: number; before: number | undefined; filter?: MovementFilter };

const conditionsOf = ({ statuses, token, currency, from, to }: MovementFilter): Record<string, unknown> => ({
  ...(statuses.length === 0 ? {} : { status: { $in: [...statuses] } }),
  ...(token === '' ? {} : { token }),
  ...(currency === '' ? {} : { currency }),
  ...(from === undefined && to === undefined ? {} : { createdAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
});

/** Deposits and withdrawals as lists show them: projections of the journal. */
export const createMovements = (connection: Connection): Movements => {
  const models: Record<MovementList, Model<MovementDocument>> = {
    deposits: connection.model<MovementDocument>('Deposit', schemaOf('deposits')),
    withdrawals: connection.model<MovementDocument>('Withdrawal', schemaOf('withdrawals')),
  };
  const saveList = async (shard: string, list: MovementList, changes: readonly MovementChange[]): Promise<void> => {
    const created = changes.flatMap((change) => (change.kind === 'created' ? [toDocument(shard, change.movement)] : []));
    const updated = changes.flatMap((change) => (change.kind === 'updated' ? [toUpdate(change.update)] : []));
    await insertMissing(models[list], created);
    if (updated.length > 0) await models[list].bulkWrite(updated, { ordered: true });
  };
  return {
    save: async (shard, changes) => {
      const of = (list: MovementList) => changes.filter((change) => change.list === list);
      await Promise.all([saveList(shard, 'deposits', of('deposits')), saveList(shard, 'withdrawals', of('withdrawals'))]);
    },
    find: async (list, id) => {
      // A projected row is in durable blocks, and must not be missed.
      const document = await models[list].findById(id, undefined, LATEST).lean<MovementDocument>();
      return document === null ? undefined : toMovement(document);
    },
    findMany: async (list, ids) => (await models[list].find({ _id: { $in: ids } }).lean<MovementDocument[]>()).map(toMovement),
    ofTransaction: async (list, txHash, limit) =>
      (await models[list].find({ txHash }).sort({ createdAt: -1, _id: -1 }).limit(limit).lean<MovementDocument[]>()).map(toMovement),
    rejectedDeposits: async (accountId, leastOf) => {
      const found: Movement[] = [];
      const isRejected = { accountId, status: 'rejected', 'kyt.result': { $ne: BELOW_MINIMUM } } as const;
      const rejected = models.deposits.find(isRejected, undefined, LATEST).sort({ position: -1 });
      for await (const document of rejected.lean<MovementDocument>().cursor())
        if (BigInt(document.amount) >= leastOf(document.token)) found.push(toMovement(document));
      return found;
    },
    page: async (list, accountIds, { limit, before, filter }) => {
      const selected = filter === undefined ? {} : conditionsOf(filter);
      const documents = await models[list]
        .find({ accountId: { $in: accountIds }, ...selected, ...(before === undefined ? {} : { position: { $lt: before } }) })
        .sort({ position: -1 })
        .limit(limit)
        .lean<MovementDocument[]>();
      return documents.map(toMovement);
    },
  };
};
