import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Answer } from '../domain/source-of-funds.ts';

/** One version of a user's answers. Versions count from 1. */
export type FundsAnswers = { userId: string; version: number; answers: Answer[]; answeredAt: Date };

type Document = FundsAnswers & {
  _id: string;
  /** When a newer version was added. */
  replacedAt?: Date;
};

const schema = new Schema<Document>(
  {
    _id: String,
    userId: { type: String, required: true },
    version: { type: Number, required: true },
    answers: {
      type: [new Schema<Answer>({ question: { type: String, required: true }, answer: { type: String, required: true } }, { _id: false })],
      required: true,
    },
    answeredAt: { type: Date, required: true },
    replacedAt: Date,
  },
  { collection: 'funds_answers', versionKey: false },
);
schema.index({ userId: 1, version: -1 });

/** Answers are never overwritten: each set is a new version, whose number is part of its `_id`. */
export type FundsAnswerStore = {
  /** The newest version. */
  latestOf: (userId: string) => Promise<FundsAnswers | undefined>;
  /** Versions of a user from `after` on, oldest first. */
  page: (userId: string, limit: number, after: number | undefined) => Promise<FundsAnswers[]>;
  find: (userId: string, version: number) => Promise<FundsAnswers | undefined>;
  /** Adds a version. Returns false when its number is taken. */
  add: (answers: FundsAnswers) => Promise<boolean>;
};

export const createFundsAnswerStore = (connection: Connection): FundsAnswerStore => {
  const model = connection.model<Document>('FundsAnswers', schema);
  return {
    latestOf: async (userId) => (await model.findOne({ userId }).sort({ version: -1 }).lean()) ?? undefined,
    page: async (userId, limit, after = 0) =>
      (
        await model
          .find({ userId, version: { $gt: after } })
          .sort({ version: 1 })
          .limit(limit)
          .lean()
      ).map(({ _id, replacedAt, ...answers }) => answers),
    find: async (userId, version) => (await model.findById(`${userId}:${version}`).lean()) ?? undefined,
    add: async (answers) => {
      try {
        await model.create({ ...answers, _id: `${answers.userId}:${answers.version}` });
        const { userId, version, answeredAt } = answers;
        await model.updateMany({ userId, version: { $lt: version }, replacedAt: null }, { $set: { replacedAt: answeredAt } });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
};
