import { isDuplicateKey } from '@florin/data/store';
import type { Hex } from '@florin/evm/hex';
import { type Connection, Schema } from 'mongoose';

/** `hash`: absent before the first block was looked at, and in cursors of earlier releases. */
type AlarmCursor = { number: number; hash?: Hex };
type AlarmCursorDocument = AlarmCursor & { _id: string; seenAt?: Date };

const schema = new Schema<AlarmCursorDocument>(
  { _id: String, number: { type: Number, required: true }, hash: String, seenAt: Date },
  { collection: 'alarm_cursors', versionKey: false },
);

/** Up to which final block the events of each chain have been looked at. Blocks may be looked at twice. */
export const createAlarmCursorStore = (connection: Connection) => {
  const model = connection.model<AlarmCursorDocument>('AlarmCursor', schema);
  return {
    /** @returns the stored block; at the first start one with that number */
    begin: async (chainId: number, number: number): Promise<AlarmCursor> => {
      const known = await model.findById(String(chainId)).lean<AlarmCursorDocument>();
      if (known !== null) return known;
      try {
        await model.create({ _id: String(chainId), number });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      return { number };
    },
    /** Records that all blocks up to one that was made at a time have been looked at. */
    see: async (chainId: number, seenAt: Date): Promise<void> => {
      await model.updateOne({ _id: String(chainId) }, { $max: { seenAt } });
    },
    /** When the newest final block was made up to which all have been looked at; undefined before the first one. */
    seenAt: async (chainId: number): Promise<Date | undefined> =>
      (await model.findById(String(chainId)).lean<AlarmCursorDocument>())?.seenAt ?? undefined,
    /** Records that the blocks from a number to this one have been looked at. If the stored one is further, or those between are missing, nothing changes. */
    advance: async (chainId: number, from: number, { number, hash }: Required<AlarmCursor>): Promise<void> => {
      await model.updateOne({ _id: String(chainId), number: { $gte: from - 1, $lte: number } }, { $set: { number, hash } });
    },
    /** Has the blocks after one looked at again, because the stored one was replaced. If it is not the stored one any more, nothing changes. */
    goBack: async (chainId: number, replaced: Required<AlarmCursor>, { number, hash }: Required<AlarmCursor>): Promise<void> => {
      await model.updateOne({ _id: String(chainId), number: replaced.number, hash: replaced.hash }, { $set: { number, hash } });
    },
  };
};

export type AlarmCursorStore = ReturnType<typeof createAlarmCursorStore>;
