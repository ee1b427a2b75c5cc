import type { Model } from 'mongoose';
import type { Notice } from '../domain/notices.ts';
import type { UserDocument } from './users.ts';

/** Mails that wait in users' documents. */
export type NoticeStore = {
  /** Users whose notices are due. */
  due: (now: Date, limit: number) => Promise<string[]>;
  /** Takes the due notices of a user until `until`. Returns undefined when another instance took them. */
  take: (userId: string, now: Date, until: Date) => Promise<Notice[] | undefined>;
  /** Removes a notice that was sent. */
  sent: (userId: string, noticeId: string) => Promise<void>;
};

/** @param model of the user store */
export const createNoticeStore = (model: Model<UserDocument>): NoticeStore => ({
  due: async (now, limit) =>
    (
      await model
        .find({ noticesDueAt: { $lte: now } }, { _id: 1 })
        .sort({ noticesDueAt: 1 })
        .limit(limit)
        .lean()
    ).map(({ _id }) => _id),
  take: async (userId, now, until) => {
    const taken = await model
      .findOneAndUpdate({ _id: userId, noticesDueAt: { $lte: now } }, { $set: { noticesDueAt: until } }, { returnDocument: 'after' })
      .lean();
    return taken === null ? undefined : (taken.notices ?? []);
  },
  sent: async (userId, noticeId) => {
    await model.updateOne({ _id: userId }, { $pull: { notices: { id: noticeId } } });
    // The sparse index holds only users with notices.
    await model.updateOne({ _id: userId, 'notices.0': { $exists: false } }, { $unset: { noticesDueAt: 1, notices: 1 } });
  },
});
