import { type Connection, Schema } from 'mongoose';

/** Says that a user's account may be due for activation: from before the change that makes it so until that was looked at. */
export type OnboardingMark = { id: string; userId: string; at: Date };

type Document = Omit<OnboardingMark, 'id'> & { _id: string };

const schema = new Schema<Document>(
  { _id: String, userId: { type: String, required: true }, at: { type: Date, required: true } },
  { collection: 'onboarding_marks', versionKey: false },
);
schema.index({ at: 1 });

/**
 * Every change has a mark of its own, which only ends when that change was looked at: whoever is killed in between leaves it behind
 * for others to find, whatever other changes of the same user do meanwhile.
 */
export type OnboardingMarkStore = {
  add: (mark: OnboardingMark) => Promise<void>;
  remove: (id: string) => Promise<void>;
  /** Puts a mark at the end of the line; false when somebody else did so, or removed it, since it was seen. */
  postpone: (seen: OnboardingMark, to: Date) => Promise<boolean>;
  /** The oldest marks from before that time. */
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
