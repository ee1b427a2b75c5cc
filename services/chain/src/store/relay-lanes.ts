import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { type Address, getAddress } from 'viem';

/** A nonce of the relayer that a job has until its transaction is final. */
export type RelaySlot = { nonce: number; jobId: string };

/** The nonces of a relayer on a chain. */
export type RelayLane = { next: number; slots: readonly RelaySlot[] };

type LaneDocument = RelayLane & { _id: string };

const schema = new Schema<LaneDocument>(
  {
    _id: String,
    next: { type: Number, required: true },
    slots: {
      type: [new Schema<RelaySlot>({ nonce: { type: Number, required: true }, jobId: { type: String, required: true } }, { _id: false })],
      required: true,
    },
  },
  { collection: 'relay_lanes', versionKey: false },
);

const laneId = (chainId: number, relayer: Address): string => `${chainId}/${relayer.toLowerCase()}`;

/** One document per chain and relayer, so that each nonce has one job, and no nonce is left out. */
export const createRelayLaneStore = (connection: Connection) => {
  const model = connection.model<LaneDocument>('RelayLane', schema);
  return {
    find: async (chainId: number, relayer: Address): Promise<RelayLane | undefined> =>
      (await model.findById(laneId(chainId, relayer)).lean<LaneDocument>()) ?? undefined,
    /** Relayers that have nonces on a chain and are none of those that are configured. */
    others: async (chainId: number, configured: readonly Address[]): Promise<Address[]> => {
      const known = configured.map((relayer) => laneId(chainId, relayer));
      const filter = { _id: { $regex: `^${chainId}/`, $nin: known }, 'slots.0': { $exists: true } };
      const found = await model.find(filter, { _id: 1 }).lean<{ _id: string }[]>();
      return found.map(({ _id }) => getAddress(_id.slice(`${chainId}/`.length)));
    },
    /** Inserts the first state of a lane unless there is one. */
    begin: async (chainId: number, relayer: Address, next: number): Promise<void> => {
      try {
        await model.create({ _id: laneId(chainId, relayer), next, slots: [] });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    /** Gives the next nonce to a job. @returns false if the lane has changed since it was read, or the job has a nonce */
    assign: async (chainId: number, relayer: Address, { next }: RelayLane, jobId: string): Promise<boolean> => {
      const { modifiedCount } = await model.updateOne(
        { _id: laneId(chainId, relayer), next, 'slots.jobId': { $ne: jobId } },
        { $inc: { next: 1 }, $push: { slots: { nonce: next, jobId } } },
      );
      return modifiedCount === 1;
    },
    /** Removes a slot whose nonce is used up. */
    release: async (chainId: number, relayer: Address, { nonce, jobId }: RelaySlot): Promise<void> => {
      await model.updateOne({ _id: laneId(chainId, relayer) }, { $pull: { slots: { nonce, jobId } } });
    },
  };
};

export type RelayLaneStore = ReturnType<typeof createRelayLaneStore>;
