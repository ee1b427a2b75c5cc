import type { Hex } from '@florin/evm/hex';
import type { CollectionTerms, DelaySettings, PinnedContract } from '@florin/evm/safe';
import { type Connection, Schema } from 'mongoose';
import type { Address } from 'viem';

/** The set-up of a Safe that the platform has signed: the only transaction with the Safe's first nonce that it ever signs. */
export type SignedPlan = {
  accountId: string;
  /** EIP-55 address of the second owner. */
  platform: Address;
  delay: DelaySettings;
  /** The platform's signature over the set-up. */
  signature: Hex;
  /** Of a platform that is a Safe, the keys that have signed for it. */
  signers?: readonly Address[];
};

type PlanDocument = Omit<SignedPlan, 'accountId'> & { _id: string };

export const delaySchema = new Schema<DelaySettings>(
  {
    mastercopy: new Schema<PinnedContract>({ address: String, codeHash: String }, { _id: false }),
    cooldownSeconds: Number,
    expirationSeconds: Number,
    terms: new Schema<CollectionTerms>({ treasury: String, limits: [{ _id: false, token: String, perDay: String }] }, { _id: false }),
  },
  { _id: false },
);

const schema = new Schema<PlanDocument>(
  {
    _id: String,
    platform: { type: String, required: true },
    delay: { type: delaySchema, required: true },
    signature: { type: String, required: true },
    signers: { type: [String], default: undefined },
  },
  { collection: 'safe_plans', versionKey: false },
);

/** How Safes are set up that are shared from birth, from the moment their users have the platform's signature. One document each. */
export const createSafePlanStore = (connection: Connection) => {
  const model = connection.model<PlanDocument>('SafePlan', schema);
  const find = async (accountId: string): Promise<SignedPlan | undefined> => {
    const found = await model.findById(accountId).lean<PlanDocument>();
    if (found === null) return undefined;
    const { _id, ...plan } = found;
    return { accountId: _id, ...plan };
  };
  return {
    find,
    /** Stores a plan unless the account has one. @returns the stored one */
    keep: async ({ accountId, ...plan }: SignedPlan): Promise<SignedPlan> => {
      await model.updateOne({ _id: accountId }, { $setOnInsert: plan }, { upsert: true });
      const stored = await find(accountId);
      if (stored === undefined) throw new Error('a plan that was inserted is gone');
      return stored;
    },
    /** Replaces a signature that the platform's Safe takes no more by one that it takes. */
    renew: async ({ accountId, signature, signers }: SignedPlan): Promise<void> => {
      await model.updateOne({ _id: accountId }, { $set: { signature, signers } });
    },
  };
};

export type SafePlanStore = ReturnType<typeof createSafePlanStore>;
