import { rawCollection } from '@florin/data/store';
import type { Challenge } from '../domain/challenge.ts';
import { isCoveredBy, type PresentedPayment, useOf } from '../domain/consumption.ts';
import type { ChallengeModel } from './challenge-model.ts';

/** Declined requests of one approval that are remembered. */
const REMEMBERED_USES = 20;

/** Uses approvals up, which count for `maxAgeDays`, and gives them back. Each write is conditional: of payments that race one uses an approval. */
export const createConsumptionStore = (model: ChallengeModel, maxAgeDays: number) => {
  const collection = rawCollection(model);
  return {
    /**
     * @returns whether the approval covers the payment, is recent, and was used by no other one; true again for the same payment, unless the request
     * has given it back
     */
    consume: async (challengeId: string, payment: PresentedPayment, now: Date): Promise<boolean> => {
      const found = await collection.findOne({ _id: challengeId });
      if (found === null || !isCoveredBy(found satisfies Omit<Challenge, 'id'>, payment, { now, maxAgeDays })) return false;
      // The facts that were judged never change once a challenge is approved; who consumes it is decided here.
      const usable = { _id: challengeId, status: 'approved' as const, releasedUses: { $ne: useOf(payment) } };
      const { paymentId, requestId } = payment;
      const free = { ...usable, $or: [{ consumedBy: { $exists: false } }, { 'consumedBy.requests': { $size: 0 } }] };
      const first = await collection.updateOne(free, { $set: { consumedBy: { paymentId, at: now, requests: [requestId] } } });
      if (first.matchedCount === 1) return true;
      const own = { ...usable, 'consumedBy.paymentId': paymentId };
      return (await collection.updateOne(own, { $addToSet: { 'consumedBy.requests': requestId } })).matchedCount === 1;
    },

    /** Makes the user's approvals that nothing has used older by a number of seconds. */
    age: async (userId: string, seconds: number): Promise<void> => {
      await collection.updateMany({ userId, status: 'approved', consumedBy: { $exists: false } }, { $inc: { agedSeconds: seconds } });
    },

    /** Gives back what a request has used, and keeps it from using the approval later. */
    release: async (challengeId: string, use: Pick<PresentedPayment, 'paymentId' | 'requestId'>): Promise<void> => {
      await collection.updateOne(
        { _id: challengeId, releasedUses: { $ne: useOf(use) } },
        { $push: { releasedUses: { $each: [useOf(use)], $slice: -REMEMBERED_USES } } },
      );
      await collection.updateOne(
        { _id: challengeId, 'consumedBy.paymentId': use.paymentId },
        { $pull: { 'consumedBy.requests': use.requestId } },
      );
    },
  };
};

export type ConsumptionStore = ReturnType<typeof createConsumptionStore>;
