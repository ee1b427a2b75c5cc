import { isDuplicateKey } from '@florin/data/store';
import { CodedError } from '@florin/rpc/errors';
import { type Connection, Schema } from 'mongoose';
import type { Counted } from '../domain/approval-window.ts';

type WindowDocument = { _id: string; version: number; counted: Counted[]; expiresAt: Date };

const schema = new Schema<WindowDocument>({ _id: String }, { collection: 'approval_windows', versionKey: false, strict: false }).index(
  { expiresAt: 1 },
  { expireAfterSeconds: 0 },
);

/** Writers that may overtake one. */
const MAX_ATTEMPTS = 100;

export type ApprovalWindowStore = {
  /** The count under a key. */
  find: (key: string) => Promise<readonly Counted[]>;
  /**
   * Replaces what is counted under a key by what `count` makes of it: one conditional write, so that of several that race each sees
   * the one before.
   * @param count returns undefined to leave it as it is
   * @returns whether it was replaced
   * @throws CodedError SERVICE_UNAVAILABLE when others were faster too often
   */
  count: (key: string, expiresAt: Date, count: (counted: readonly Counted[]) => Counted[] | undefined) => Promise<boolean>;
};

/** Orders by actor and by account without a second person's approval: one document each. */
export const createApprovalWindowStore = (connection: Connection): ApprovalWindowStore => {
  const { collection } = connection.model('ApprovalWindow', schema);
  const load = (key: string) => collection.findOne<WindowDocument>({ _id: key as never });
  const replace = async (found: WindowDocument | null, next: WindowDocument): Promise<boolean> => {
    if (found !== null) {
      const { _id, ...fields } = next;
      return (await collection.replaceOne({ _id: _id as never, version: found.version }, fields)).matchedCount === 1;
    }
    try {
      await collection.insertOne(next as never);
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  };
  return {
    find: async (key) => (await load(key))?.counted ?? [],
    count: async (key, expiresAt, count) => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const found = await load(key);
        const counted = count(found?.counted ?? []);
        if (counted === undefined) return false;
        if (await replace(found, { _id: key, version: (found?.version ?? 0) + 1, counted, expiresAt })) return true;
      }
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'too many adjustments at once' });
    },
  };
};
