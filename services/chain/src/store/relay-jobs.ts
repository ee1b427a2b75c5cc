import { createBatchedReads, isDuplicateKey, LATEST, rawCollection } from '@florin/data/store';
import type { Hex } from '@florin/evm/hex';
import { type Connection, Schema } from 'mongoose';
import type { Address } from 'viem';
import type { FeeQuote } from '../relaying/fee-quote.ts';

/**
 * A signed transaction of a job. Several share a nonce: each later one offers a higher fee.
 * `from` is the relayer that signed it; absent in those of releases that had one relayer, until `claimUnnamed` adds it.
 */
export type RelayAttempt = FeeQuote & { from?: Address; nonce: number; raw: Hex; hash: Hex; at: Date };

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
  /** The relayer that carries it out, once one has taken it. */
  relayer?: Address;
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
    relayer: String,
    status: { type: String, required: true },
    attempts: {
      type: [
        new Schema<AttemptDocument>(
          {
            from: String,
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

/** The jobs of one of several relayers. */
export type JobsOfRelayer = {
  relayer: Address;
  /** Contracts that only the first relayer may call. */
  exclusive: readonly Address[];
  /** Of the first relayer: all that are configured, and those whose keys are lost. */
  first?: { configured: readonly Address[]; lost: readonly Address[] };
};

const UNSIGNED = { 'attempts.0': { $exists: false } };

/**
 * The jobs that a relayer has or may take. A job of which a transaction is signed stays with the relayer that signed it: no other one sends it, unless the key is declared lost.
 */
const filterOf = ({ relayer, exclusive, first }: JobsOfRelayer): object => {
  const own = { relayer };
  const free = { relayer: null, ...UNSIGNED };
  if (first === undefined) return { $or: [own, { ...free, to: { $nin: exclusive } }] };
  const left = { relayer: { $nin: [null, ...first.configured] }, ...UNSIGNED };
  return { $or: [own, free, left, { to: { $in: exclusive }, ...UNSIGNED }, { relayer: { $in: first.lost } }] };
};

/** The calls to make, one document each. */
export const createRelayJobStore = (connection: Connection) => {
  const model = connection.model<JobDocument>('RelayJob', schema);
  const read = createBatchedReads(rawCollection(model), { provesAbsence: true });
  return {
    /** Adds a job unless there is one of that id. */
    add: async ({ id, gas, ...job }: Omit<RelayJob, 'status' | 'attempts' | 'outcome'>): Promise<void> => {
      try {
        await model.create({ _id: id, ...job, gas: gas.toString(), status: 'queued', attempts: [] });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    /** One that is not found was never added: what it would have sent may be given up. */
    find: async (id: string): Promise<RelayJob | undefined> => {
      const found = await read(id);
      return found && toJob(found);
    },
    /** Ids of jobs that are not done and that a relayer has or may take, oldest first. */
    queued: async (chainId: number, limit: number, mine: JobsOfRelayer): Promise<string[]> => {
      const found = await model
        .find({ chainId, status: 'queued', ...filterOf(mine) }, { _id: 1 })
        .sort({ createdAt: 1 })
        .limit(limit)
        .lean<{ _id: string }[]>();
      return found.map(({ _id }) => _id);
    },
    /** Reserves a job for a relayer. @returns false if another one has it */
    take: async (id: string, mine: JobsOfRelayer): Promise<boolean> => {
      const { matchedCount } = await model.updateOne({ _id: id, status: 'queued', ...filterOf(mine) }, { $set: { relayer: mine.relayer } });
      return matchedCount === 1;
    },
    /** Moves a job to another relayer, none of whose transactions as they were read can be mined any more. */
    move: async ({ id, attempts }: RelayJob, relayer: Address, to: Address): Promise<void> => {
      await model.updateOne({ _id: id, status: 'queued', relayer, attempts: { $size: attempts.length } }, { $set: { relayer: to } });
    },
    /** Jobs of which a transaction is signed, and that have no relayer: an earlier release, which had one relayer, signed it. */
    unnamed: async (chainId: number): Promise<RelayJob[]> => {
      const found = await model.find({ chainId, status: 'queued', relayer: null, 'attempts.0': { $exists: true } }).lean<JobDocument[]>();
      return found.map(toJob);
    },
    /** Records the relayer that signed the transactions of an earlier release. */
    claimUnnamed: async (id: string, relayer: Address): Promise<void> => {
      await model.updateOne({ _id: id, relayer: null }, { $set: { relayer, 'attempts.$[].from': relayer } });
    },
    /** Number of jobs of which only a relayer that is not configured has signed a transaction. */
    countLeft: (chainId: number, configured: readonly Address[]): Promise<number> =>
      model.countDocuments({ chainId, status: 'queued', relayer: { $nin: [null, ...configured] }, 'attempts.0': { $exists: true } }),
    /** Stores a signed transaction, before anyone sees it. @returns false if another process stored one since `job` was read, or another relayer has taken the job */
    addAttempt: async ({ id, attempts }: RelayJob, attempt: RelayAttempt & { from: Address }): Promise<boolean> => {
      if (attempts.length >= MAX_ATTEMPTS) return false;
      const { modifiedCount } = await model.updateOne(
        { _id: id, status: 'queued', relayer: attempt.from, attempts: { $size: attempts.length } },
        { $push: { attempts: fromAttempt(attempt) } },
      );
      return modifiedCount === 1;
    },
    /** True if a transaction is one of a job. Read as LATEST: one that is not counts as somebody else's. */
    isSent: async (hash: Hex): Promise<boolean> => (await model.exists({ 'attempts.hash': hash }).setOptions(LATEST)) !== null,
    finish: async (id: string, outcome: RelayOutcome): Promise<void> => {
      await model.updateOne({ _id: id, status: 'queued' }, { $set: { status: 'done', outcome } });
    },
    /** Ends a job unless a transaction of it is signed. */
    giveUp: async (id: string, outcome: RelayOutcome): Promise<void> => {
      await model.updateOne({ _id: id, status: 'queued', ...UNSIGNED }, { $set: { status: 'done', outcome } });
    },
  };
};

export type RelayJobStore = ReturnType<typeof createRelayJobStore>;
