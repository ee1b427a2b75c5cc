import { isDuplicateKey, LATEST } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { referenceCandidate } from '../domain/reference.ts';

type ReferenceDocument = { _id: string; accountId: string };

const schema = new Schema<ReferenceDocument>(
  { _id: String, accountId: { type: String, required: true } },
  { collection: 'references', versionKey: false },
);

/** One collision in 2^60 needs a second candidate; this many mean that something else is wrong. */
const MAX_CANDIDATES = 8;

export type References = {
  /** The account's payment reference, claimed for it alone. The same account always gets the same one. */
  claim: (accountId: string) => Promise<string>;
  /** The account of a reference; undefined when nobody has it. */
  accountOf: (reference: string) => Promise<string | undefined>;
};

/** Payment references, claimed by `_id`: derived from 60 bits of a hash, they are unique because nobody can claim one twice. */
export const createReferences = (connection: Connection): References => {
  const model = connection.model('Reference', schema);
  const claimOne = async (reference: string, accountId: string): Promise<boolean> => {
    try {
      await model.create({ _id: reference, accountId });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    return (await model.findById(reference, undefined, LATEST).lean())?.accountId === accountId;
  };
  return {
    accountOf: async (reference) => (await model.findById(reference).lean())?.accountId,
    claim: async (accountId) => {
      for (let attempt = 0; attempt < MAX_CANDIDATES; attempt += 1) {
        const reference = referenceCandidate(accountId, attempt);
        if (await claimOne(reference, accountId)) return reference;
      }
      throw new Error('no payment reference is free');
    },
  };
};
