import { rawCollection } from '@florin/data/store';
import type { Challenge } from '../domain/challenge.ts';
import { isCoveredBy, type PresentedPayment } from '../domain/consumption.ts';
import type { ChallengeModel } from './challenge-model.ts';

/** Uses approvals up, which count for `maxAgeDays`. Each consumption is one conditional write to the challenge. */
export const createConsumptionStore = (model: ChallengeModel, maxAgeDays: number) => {
  const collection = rawCollection(model);
  return {
    /**
     * @returns whether the approval covers the payment, is recent, and was used by no other one; true again for the same payment
     */
    consume: async (challengeId: string, payment: PresentedPayment, now: Date): Promise<boolean> => {
      const found = await collection.findOne({ _id: challengeId });
      if (found === null || !isCoveredBy(found satisfies Omit<Challenge, 'id'>, payment, { now, maxAgeDays })) return false;
      // The facts that were judged never change once a challenge is approved; who consumes it is decided here.
      const { matchedCount } = await collection.updateOne(
        {
          _id: challengeId,
          status: 'approved',
          $or: [{ consumedBy: { $exists: false } }, { 'consumedBy.paymentId': payment.paymentId }],
        },
        { $set: { consumedBy: { paymentId: payment.paymentId, at: found.consumedBy?.at ?? now } } },
      );
      return matchedCount === 1;
    },
  };
};

export type ConsumptionStore = ReturnType<typeof createConsumptionStore>;
