import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { isDuplicateKey } from '@florin/data/store';
import type { Runtime } from '@florin/rpc/runtime';
import { type Connection, Schema } from 'mongoose';
import { type BalanceDifference, unbookedOf, unseenOf } from '../domain/balance-difference.ts';
import type { ChainEvent } from '../domain/events.ts';

type DifferenceDocument = {
  _id: string;
  chainId: number;
  accountId: string;
  token: string;
  blockNumber: number;
  /** On the chain without a transfer, and seen without being booked. */
  unseen: string;
  unbooked: string;
  status: 'open' | 'resolved';
  changedAt: Date;
  outbox: OutboxEvent[];
  relayed?: number;
};

const schema = new Schema<DifferenceDocument>(
  {
    _id: String,
    chainId: { type: Number, required: true },
    accountId: { type: String, required: true },
    token: { type: String, required: true },
    blockNumber: { type: Number, required: true },
    unseen: { type: String, required: true },
    unbooked: { type: String, required: true },
    status: { type: String, required: true },
    changedAt: { type: Date, required: true },
    outbox: outboxField,
  },
  { collection: 'differences', versionKey: false },
)
  .index({ status: 1, accountId: 1 })
  .index(outboxIndex);

type Found = { blockNumber: number; differences: readonly BalanceDifference[] };

/** Balances that differ from the chain, and those that did. One document per account and token. */
export const createDifferenceStore = (connection: Connection, runtime: Pick<Runtime, 'newId' | 'now'>) => {
  const model = connection.model<DifferenceDocument>('Difference', schema);
  const eventOf = (event: ChainEvent): OutboxEvent => ({ id: runtime.newId(), at: runtime.now(), ...event });

  /** @returns whether the difference is new or has changed */
  const open = async (difference: BalanceDifference): Promise<boolean> => {
    const { chainId, accountId, token, blockNumber } = difference;
    const figures = { unseen: unseenOf(difference).toString(), unbooked: unbookedOf(difference).toString() };
    const event = eventOf({ type: 'balance.differed', payload: { chainId, accountId, token, blockNumber, ...figures } });
    try {
      const { modifiedCount, upsertedCount } = await model.updateOne(
        { _id: `${accountId}/${token}`, $nor: [{ status: 'open', ...figures }] },
        {
          $set: { chainId, accountId, token, blockNumber, ...figures, status: 'open', changedAt: runtime.now() },
          $push: { outbox: event },
        },
        { upsert: true },
      );
      return modifiedCount + upsertedCount > 0;
    } catch (error) {
      // It is recorded as it is.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  return {
    /** For the outbox relay. */
    model,
    /**
     * Records what a comparison of accounts has found, and that their other balances agree.
     * @returns the differences that are new or have changed
     */
    record: async (accounts: readonly { id: string }[], { blockNumber, differences }: Found): Promise<BalanceDifference[]> => {
      const changed: BalanceDifference[] = [];
      for (const difference of differences) if (await open(difference)) changed.push(difference);
      const found = new Set(differences.map(({ accountId, token }) => `${accountId}/${token}`));
      const accountIds = accounts.map(({ id }) => id);
      for (const known of await model.find({ status: 'open', accountId: { $in: accountIds } }).lean<DifferenceDocument[]>()) {
        if (found.has(known._id)) continue;
        const { chainId, accountId, token } = known;
        const event = eventOf({ type: 'balance.agreed', payload: { chainId, accountId, token, blockNumber } });
        await model.updateOne(
          { _id: known._id, status: 'open' },
          { $set: { status: 'resolved', blockNumber, changedAt: runtime.now() }, $push: { outbox: event } },
        );
      }
      return changed;
    },
    countOpen: (): Promise<number> => model.countDocuments({ status: 'open' }),
  };
};

export type DifferenceStore = ReturnType<typeof createDifferenceStore>;
