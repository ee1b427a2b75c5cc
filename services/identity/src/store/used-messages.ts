import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

type UsedMessage = {
  /** The nonce of the message. */
  _id: string;
  /** Name of the use; empty for a use that cannot be repeated. */
  use: string;
  completed?: true;
  /** End of the message's validity: from then on its own text rejects it. */
  expiresAt: Date;
};

const schema = new Schema<UsedMessage>(
  { _id: String, use: { type: String, default: '' }, completed: Boolean, expiresAt: { type: Date, required: true } },
  { collection: 'used_messages', versionKey: false },
);
schema.index({ expiresAt: 1 });

/** Messages (EIP-4361) that were used. The nonce is the `_id`, so the engine decides which of several uses wins. */
export type UsedMessageStore = {
  /**
   * Uses a message. A named use can be repeated: then it is `consumed` again, and `completed` after it was completed.
   * @param use name of the use; empty for one that cannot be repeated
   */
  consume: (nonce: string, use: string, expiresAt: Date) => Promise<'consumed' | 'completed' | 'used'>;
  /** Ends the named use of a message. */
  complete: (nonce: string) => Promise<void>;
  /** Takes an unnamed use back, because what it was for did not happen. */
  release: (nonce: string) => Promise<void>;
};

export const createUsedMessageStore = (connection: Connection): UsedMessageStore => {
  const model = connection.model<UsedMessage>('UsedMessage', schema);
  return {
    consume: async (nonce, use, expiresAt) => {
      try {
        await model.create({ _id: nonce, use, expiresAt });
        return 'consumed';
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const known = await model.findById(nonce).lean();
      if (use === '' || known?.use !== use) return 'used';
      return known.completed === true ? 'completed' : 'consumed';
    },
    complete: async (nonce) => {
      await model.updateOne({ _id: nonce }, { $set: { completed: true } });
    },
    release: async (nonce) => {
      await model.deleteOne({ _id: nonce, use: '' });
    },
  };
};
