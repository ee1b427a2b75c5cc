import { LATEST } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** `_id` is the chain id. */
type HaltedChain = { _id: number; haltedAt: Date };

const schema = new Schema<HaltedChain>(
  { _id: Number, haltedAt: { type: Date, required: true } },
  { collection: 'halted_chains', versionKey: false },
);

/** `_id` is the chain id. */
type ChainLease = { _id: number; until: Date };

const leaseSchema = new Schema<ChainLease>(
  { _id: Number, until: { type: Date, required: true } },
  { collection: 'chain_leases', versionKey: false },
);

export type HaltedChainStore = {
  /** EIP-155 ids of the halted chains. */
  ids: () => Promise<number[]>;
  /** The times until which the tokens of chains can be spent, of all chains with such a bound. */
  bounds: () => Promise<{ chainId: number; until: Date }[]>;
  /** Lets the tokens of a chain be spent until a time. @param until absent: without a bound */
  renew: (chainId: number, until: Date | undefined) => Promise<void>;
  /** A halted chain stays as it is. */
  add: (chainId: number, haltedAt: Date) => Promise<void>;
  remove: (chainId: number) => Promise<void>;
};

/** Chains whose tokens cannot be spent. Read as LATEST: a halt that was acknowledged never lapses because a primary was just elected. */
export const createHaltedChainStore = (connection: Connection): HaltedChainStore => {
  const model = connection.model<HaltedChain>('HaltedChain', schema);
  const leases = connection.model<ChainLease>('ChainLease', leaseSchema);
  return {
    ids: async () => (await model.find({}, undefined, LATEST).lean<HaltedChain[]>()).map(({ _id }) => _id),
    bounds: async () =>
      (await leases.find({}, undefined, LATEST).lean<ChainLease[]>()).map(({ _id: chainId, until }) => ({ chainId, until })),
    renew: async (chainId, until) => {
      if (until === undefined) await leases.deleteOne({ _id: chainId });
      else await leases.updateOne({ _id: chainId }, { $set: { until } }, { upsert: true });
    },
    add: async (chainId, haltedAt) => {
      await model.updateOne({ _id: chainId }, { $setOnInsert: { haltedAt } }, { upsert: true });
    },
    remove: async (chainId) => {
      await model.deleteOne({ _id: chainId });
    },
  };
};
