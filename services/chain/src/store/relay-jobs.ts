import { isDuplicateKey } from '@florin/data/store';
import type { Hex } from '@florin/evm/hex';
import { type Connection, Schema } from 'mongoose';
import type { Address } from 'viem';
import type { FeeQuote } from '../relaying/fee-quote.ts';

/** A signed transaction of a job. Several share a nonce: each later one offers a higher fee. */
export type RelayAttempt = FeeQuote & { nonce: number; raw: Hex; hash: Hex; at: Date };

/** How a job ended: the transaction that was mined, in a final block. */
export type RelayOutcome = { txHash: Hex; succeeded: boolean; blockNumber: number };

/** A call that the platform pays for. Made by at least one mined transaction: what it calls must tolerate a repeat. */
export type RelayJob = {
  /** Chosen by the caller; the idempotency key. */
  id: string;
  chainId: number;
  to: Address;
  data: Hex;
  gas: bigint;
  status: 'queued' | 'done';
  attempts: readonly RelayAttempt[];
  outcome?: RelayOutcome;
  createdAt: Date;
};

/** More than a stuck transaction needs to pass any limit of fees by steps of a quarter. */
const MAX_ATTEMPTS = 64;

type AttemptDocument = Omit<RelayAttempt, keyof FeeQuote> & { maxFeePerGas: string; maxPriorityFeePerGas: string };
type JobDocument = Omit<RelayJob, 'id' | 'gas' | 'attempts'> & { _id: string; gas: string; attempts: AttemptDocument[] };

const schema = new Schema<JobDocument>(
  {
    _id: String,
    chainId: { type: Number, required: true },
    to: { type: String, required: true },
    data: { type: String, required: true },
    gas: { type: String, required: true },
    status: { type: String, required: true },
    attempts: {
      type: [
        new Schema<AttemptDocument>(
          {
            nonce: { type: Number, required: true },
            raw: { type: String, required: true },
            hash: { type: String, required: true },
            at: { type: Date, required: true },
            maxFeePerGas: { type: String, required: true },
            maxPriorityFeePerGas: { type: String, required: true },
          },
          { _id: false },
        ),
      ],
      required: true,
    },
    outcome: new Schema<RelayOutcome>(
      {
        txHash: { type: String, required: true },
        succeeded: { type: Boolean, required: true },
        blockNumber: { type: Number, required: true },
      },
      { _id: false },
    ),
    createdAt: { type: Date, required: true },
  },
  { collection: 'relay_jobs', versionKey: false },
)
  .index({ chainId: 1, status: 1, createdAt: 1 })
  .index({ 'attempts.hash': 1 });

const toJob = ({ _id: id, gas, attempts, ...rest }: JobDocument): RelayJob => ({
  id,
  ...rest,
  gas: BigInt(gas),
  attempts: attempts.map(({ maxFeePerGas, maxPriorityFeePerGas, ...attempt }) => ({
    ...attempt,
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
  })),
});

const fromAttempt = ({ maxFeePerGas, maxPriorityFeePerGas, ...attempt }: RelayAttempt): AttemptDocument => ({
  ...attempt,
  maxFeePerGas: maxFeePerGas.toString(),
  maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
});

/** The calls to make, one document each. */
export const createRelayJobStore = (connection: Connection) => {
  const model = connection.model<JobDocument>('RelayJob', schema);
  return {
    /** Adds a job unless there is one of that id. */
    add: async ({ id, gas, ...job }: Omit<RelayJob, 'status' | 'attempts' | 'outcome'>): Promise<void> => {
      try {
        await model.create({ _id: id, ...job, gas: gas.toString(), status: 'queued', attempts: [] });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    find: async (id: string): Promise<RelayJob | undefined> => {
      const found = await model.findById(id).lean<JobDocument>();
      return found === null ? undefined : toJob(found);
    },
    /** Ids of jobs that are not done, oldest first. */
    queued: async (chainId: number, limit: number): Promise<string[]> => {
      const found = await model
        .find({ chainId, status: 'queued' }, { _id: 1 })
        .sort({ createdAt: 1 })
        .limit(limit)
        .lean<{ _id: string }[]>();
      return found.map(({ _id }) => _id);
    },
    /** Stores a signed transaction, before anyone sees it. @returns false if another process stored one since `job` was read */
    addAttempt: async ({ id, attempts }: RelayJob, attempt: RelayAttempt): Promise<boolean> => {
      if (attempts.length >= MAX_ATTEMPTS) return false;
      const { modifiedCount } = await model.updateOne(
        { _id: id, status: 'queued', attempts: { $size: attempts.length } },
        { $push: { attempts: fromAttempt(attempt) } },
      );
      return modifiedCount === 1;
    },
    /** True if a transaction is one of a job. */
    isSent: async (hash: Hex): Promise<boolean> => (await model.exists({ 'attempts.hash': hash })) !== null,
    finish: async (id: string, outcome: RelayOutcome): Promise<void> => {
      await model.updateOne({ _id: id, status: 'queued' }, { $set: { status: 'done', outcome } });
    },
  };
};

export type RelayJobStore = ReturnType<typeof createRelayJobStore>;
