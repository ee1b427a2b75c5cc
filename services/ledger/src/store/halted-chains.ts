import { type Connection, Schema } from 'mongoose';

/** `_id` is the chain id. */
type HaltedChain = { _id: number; haltedAt: Date };

const schema = new Schema<HaltedChain>(
  { _id: Number, haltedAt: { type: Date, required: true } },
  { collection: 'halted_chains', versionKey: false },
);

export type HaltedChainStore = {
  /** EIP-155 ids of the halted chains. */
  ids: () => Promise<number[]>;
  /** A halted chain stays as it is. */
  add: (chainId: number, haltedAt: Date) => Promise<void>;
  remove: (chainId: number) => Promise<void>;
};

/** Chains whose tokens cannot be spent. */
export const createHaltedChainStore = (connection: Connection): HaltedChainStore => {
  const model = connection.model<HaltedChain>('HaltedChain', schema);
  return {
    ids: async () => (await model.find({}).lean<HaltedChain[]>()).map(({ _id }) => _id),
    add: async (chainId, haltedAt) => {
      await model.updateOne({ _id: chainId }, { $setOnInsert: { haltedAt } }, { upsert: true });
    },
    remove: async (chainId) => {
      await model.deleteOne({ _id: chainId });
    },
  };
};
