import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** The code of a slot. */
export type StoredCode = {
  id: string;
  /** Keyed hash of the code; null once it was consumed or withdrawn. */
  proof: string | null;
  /** Encrypted. */
  recipient: string;
  /** Wrong guesses. */
  tries: number;
  /** Null when it was withdrawn. */
  sentAt: Date | null;
  expiresAt: Date;
  /** Keyed hash of the recipient. */
  sentTo: string;
  /** Sent without a pause, because the recipient of the last code was mistyped. */
  corrected: boolean;
  /** The last code that was consumed under a name. */
  used?: { as: string; proof: string; recipient: string; expiresAt: Date } | null;
};

type Document = StoredCode & {
  /** Keyed hash of the slot. */
  _id: string;
  /** From then on the code is not even reported as expired. */
  keptUntil: Date;
};

const schema = new Schema<Document>(
  {
    _id: String,
    id: { type: String, required: true },
    proof: String,
    recipient: { type: String, required: true },
    tries: { type: Number, required: true },
    sentAt: Date,
    expiresAt: { type: Date, required: true },
    sentTo: { type: String, required: true },
    corrected: { type: Boolean, required: true },
    used: { as: String, proof: String, recipient: String, expiresAt: Date },
    keptUntil: { type: Date, required: true },
  },
  { collection: 'codes', versionKey: false },
);
schema.index({ keptUntil: 1 });

export type Guess = {
  now: Date;
  /** Keyed hash of the guess. */
  proof: string;
  /** Wrong guesses that are allowed. */
  maxTries: number;
  /** Name under which a right guess consumes the code; undefined: the code stays. */
  useAs: string | undefined;
};

/** One-time passwords, one document per slot: every decision about a slot is one write. */
export type CodeStore = {
  find: (slot: string) => Promise<StoredCode | undefined>;
  /**
   * Puts a new code in the place of the last one.
   * @returns false when another call has changed the slot since `last` was read
   */
  replace: (slot: string, code: Omit<StoredCode, 'used'>, last: StoredCode | undefined, keptUntil: Date) => Promise<boolean>;
  /**
   * Compares a guess with the code, counts a wrong one, and consumes the code for a right one that has a name. However many guesses arrive at the
   * same time, only the allowed number is compared. Proofs are keyed hashes, so the time of a comparison reveals nothing about the code.
   * @returns the code before the comparison; undefined when nothing was compared, because the slot has no code that is open, or the guess repeats
   * a use of the same name
   */
  compare: (slot: string, guess: Guess) => Promise<StoredCode | undefined>;
  /** Removes a code from the slot while it holds the code with this id. @param sent whether it counts as sent, so that the next one has to wait */
  retire: (slot: string, id: string, sent: boolean) => Promise<void>;
};

export const createCodeStore = (connection: Connection): CodeStore => {
  const codes = rawCollection(connection.model<Document>('Code', schema));
  return {
    find: async (slot) => (await codes.findOne({ _id: slot })) ?? undefined,
    replace: async (slot, code, last, keptUntil) => {
      if (last !== undefined) {
        const { matchedCount } = await codes.updateOne({ _id: slot, id: last.id, sentAt: last.sentAt }, { $set: { ...code, keptUntil } });
        return matchedCount === 1;
      }
      try {
        await codes.insertOne({ _id: slot, ...code, keptUntil });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    compare: async (slot, { now, proof, maxTries, useAs }) => {
      const open = { _id: slot, proof: { $ne: null }, tries: { $lt: maxTries }, expiresAt: { $gt: now } };
      const isRight = { $eq: ['$proof', { $literal: proof }] };
      const counted = { tries: { $cond: [isRight, '$tries', { $add: ['$tries', 1] }] } };
      const use = { as: { $literal: useAs }, proof: '$proof', recipient: '$recipient', expiresAt: '$expiresAt' };
      const consumed = { used: { $cond: [isRight, use, { $ifNull: ['$used', null] }] }, proof: { $cond: [isRight, null, '$proof'] } };
      const before =
        useAs === undefined
          ? await codes.findOneAndUpdate(open, [{ $set: counted }])
          : await codes.findOneAndUpdate({ ...open, $nor: [{ 'used.as': useAs, 'used.proof': proof }] }, [
              { $set: { ...counted, ...consumed } },
            ]);
      return before ?? undefined;
    },
    retire: async (slot, id, sent) => {
      await codes.updateOne({ _id: slot, id }, { $set: { proof: null, ...(sent ? {} : { sentAt: null }) } });
    },
  };
};
