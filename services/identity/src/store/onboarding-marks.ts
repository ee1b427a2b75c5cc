import { type Connection, Schema } from 'mongoose';

/**
 * Marks a user whose account may be due for activation or blocking. It exists from before the change that may make it due until the
 * account was settled.
 */
export type OnboardingMark = { id: string; userId: string; at: Date };

type Document = Omit<OnboardingMark, 'id'> & { _id: string };

const schema = new Schema<Document>(
  { _id: String, userId: { type: String, required: true }, at: { type: Date, required: true } },
  { collection: 'onboarding_marks', versionKey: false },
);
schema.index({ at: 1 });

/**
 * Every change adds its own mark, which is removed only after that change was handled. A killed process leaves its mark behind,
 * independent of other changes of the same user.
 */
export type OnboardingMarkStore = {
  add: (mark: OnboardingMark) => Promise<void>;
  remove: (id: string) => Promise<void>;
  /** Moves a mark to the end of the queue. Returns false when another process moved or removed it since it was read. */
  postpone: (seen: OnboardingMark, to: Date) => Promise<boolean>;
  /** The oldest marks from before `before`, at most `limit`. */
  findOlder: (before: Date, limit: number) => Promise<OnboardingMark[]>;
};

export const createOnboardingMarkStore = (connection: Connection): OnboardingMarkStore => {
  const model = connection.model<Document>('OnboardingMark', schema);
  return {
    add: async ({ id, ...mark }) => {
      await model.create({ _id: id, ...mark });
    },
    remove: async (id) => {
      await model.deleteOne({ _id: id });
    },
    postpone: async ({ id, at }, to) => (await model.updateOne({ _id: id, at }, { $set: { at: to } })).modifiedCount === 1,
    findOlder: async (before, limit) => {
      const found = await model
        .find({ at: { $lt: before } })
        .sort({ at: 1 })
        .limit(limit)
        .lean();
      return found.map(({ _id, userId, at }) => ({ id: _id, userId, at }));
    },
  };
};
