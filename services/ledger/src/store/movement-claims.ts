import { isDuplicateKey, LATEST } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { MovementList } from '../domain/movement.ts';

type ClaimDocument = { _id: string; accountId: string };

const schema = new Schema<ClaimDocument>(
  { _id: String, accountId: { type: String, required: true } },
  { collection: 'movement_claims', versionKey: false },
);

export type MovementClaims = {
  /** Binds a movement's id to an account; returns the account that it is bound to. */
  claim: (list: MovementList, id: string, accountId: string) => Promise<string>;
  /** Unbinds an id from an account that the journal will never take it for; does nothing when it is bound to another. */
  release: (list: MovementList, id: string, accountId: string) => Promise<void>;
  /** The account of a movement; undefined when its id is not bound. */
  accountOf: (list: MovementList, id: string) => Promise<string | undefined>;
};

/**
 * Whose deposit or withdrawal an id is. Entry ids are unique within a shard; a chain event reported for two accounts, or a withdrawal
 * id used for two, must still be one movement. The claim also gives its shard.
 */
export const createMovementClaims = (connection: Connection): MovementClaims => {
  const model = connection.model('MovementClaim', schema);
  // Only says where the journal is asked, which decides.
  const accountOf: MovementClaims['accountOf'] = async (list, id) =>
    (await model.findById(`${list}/${id}`, undefined, LATEST).lean())?.accountId;
  return {
    claim: async (list, id, accountId) => {
      for (;;) {
        try {
          await model.create({ _id: `${list}/${id}`, accountId });
          return accountId;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          // Undefined when it was released in between: then it is free to be claimed.
          const bound = await accountOf(list, id);
          if (bound !== undefined) return bound;
        }
      }
    },
    release: async (list, id, accountId) => {
      await model.deleteOne({ _id: `${list}/${id}`, accountId });
    },
    accountOf,
  };
};
