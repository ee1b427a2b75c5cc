import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

type AlarmCursorDocument = { _id: string; number: number; seenAt?: Date };

const schema = new Schema<AlarmCursorDocument>(
  { _id: String, number: { type: Number, required: true }, seenAt: Date },
  { collection: 'alarm_cursors', versionKey: false },
);

/** Up to which final block the events of each chain have been looked at. Blocks may be looked at twice. */
export const createAlarmCursorStore = (connection: Connection) => {
  const model = connection.model<AlarmCursorDocument>('AlarmCursor', schema);
  return {
    /** @returns the stored number; at the first start `number` itself */
    begin: async (chainId: number, number: number): Promise<number> => {
      const known = await model.findById(String(chainId)).lean<AlarmCursorDocument>();
      if (known !== null) return known.number;
      try {
        await model.create({ _id: String(chainId), number });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      return number;
    },
    /** Records that all blocks up to one that was made at a time have been looked at. */
    see: async (chainId: number, seenAt: Date): Promise<void> => {
      await model.updateOne({ _id: String(chainId) }, { $max: { seenAt } });
    },
    /** When the newest final block was made up to which all have been looked at; undefined before the first one. */
    seenAt: async (chainId: number): Promise<Date | undefined> =>
      (await model.findById(String(chainId)).lean<AlarmCursorDocument>())?.seenAt ?? undefined,
    advance: async (chainId: number, number: number): Promise<void> => {
      await model.updateOne({ _id: String(chainId), number: { $lt: number } }, { $set: { number } });
    },
  };
};

export type AlarmCursorStore = ReturnType<typeof createAlarmCursorStore>;
