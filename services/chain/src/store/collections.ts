import { createBatchedReads, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** The last movement between a Safe and the treasury that was planned. */
export type PlannedMovement = {
  accountId: string;
  /** Symbol. */
  token: string;
  chainId: number;
  /** Number of the movement in the Collector, which makes each one once. */
  nonce: number;
  /** In the token's smallest unit. */
  amount: string;
  /** True: from the treasury to the Safe. */
  back: boolean;
  /** The relayer's job, which may not exist. */
  jobId: string;
  plannedAt: Date;
  /** True: the Collector could not make the last one, and none has been made since. */
  failing?: boolean;
};

type MovementDocument = Omit<PlannedMovement, 'accountId' | 'token'> & { _id: string };

const schema = new Schema<MovementDocument>(
  {
    _id: String,
    chainId: { type: Number, required: true },
    nonce: { type: Number, required: true },
    amount: { type: String, required: true },
    back: { type: Boolean, required: true },
    jobId: { type: String, required: true },
    plannedAt: { type: Date, required: true },
    failing: Boolean,
  },
  { collection: 'collections', versionKey: false },
).index({ failing: 1 }, { sparse: true });

const idOf = ({ accountId, token }: Pick<PlannedMovement, 'accountId' | 'token'>): string => `${accountId}/${token}`;

/** Movements between Safes and the treasury, one document for each account and token. It spares gas; that nothing moves twice is the Collector's work. */
export const createCollectionStore = (connection: Connection) => {
  const model = connection.model<MovementDocument>('Collection', schema);
  const read = createBatchedReads(rawCollection(model));
  return {
    find: async (key: Pick<PlannedMovement, 'accountId' | 'token'>): Promise<PlannedMovement | undefined> => {
      const found = await read(idOf(key));
      if (found === undefined) return undefined;
      const { _id, ...rest } = found;
      return { accountId: key.accountId, token: key.token, ...rest };
    },
    /** Records movements, each as the last one of its account and token. Killed in between, some of them are not recorded. */
    plan: async (movements: readonly PlannedMovement[]): Promise<void> => {
      await model.bulkWrite(
        movements.map(({ accountId, token, ...movement }) => ({
          updateOne: { filter: { _id: idOf({ accountId, token }) }, update: { $set: movement }, upsert: true },
        })),
        { ordered: false },
      );
    },
    /** Records whether the last movement has failed. */
    end: async (key: Pick<PlannedMovement, 'accountId' | 'token'>, failing: boolean): Promise<void> => {
      await model.updateOne({ _id: idOf(key) }, failing ? { $set: { failing } } : { $unset: { failing: 1 } });
    },
    /** Number of accounts and tokens on a chain whose last movement has failed. */
    countFailing: (chainId: number): Promise<number> => model.countDocuments({ failing: true, chainId }),
  };
};

export type CollectionStore = ReturnType<typeof createCollectionStore>;
