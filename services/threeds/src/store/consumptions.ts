import { LATEST, PROVEN, rawCollection } from '@florin/data/store';
import { CodedError } from '@florin/rpc/errors';
import type { Challenge } from '../domain/challenge.ts';
import { consumptionWith, type PresentedPayment, useOf } from '../domain/consumption.ts';
import type { ChallengeModel } from './challenge-model.ts';
import { toUseOfSchema2, USE_OF_SCHEMA_1 } from './schema.ts';

/** Declined requests of one approval that are remembered. */
const REMEMBERED_USES = 20;

/** Uses of one approval that others recorded in the meantime; each retry means that one of them has succeeded. */
const MAX_ATTEMPTS = 100;

/** Uses approvals up, which count for `maxAgeDays`, and gives them back. Each write is conditional: of payments that race one uses an approval. */
export const createConsumptionStore = (model: ChallengeModel, maxAgeDays: number) => {
  const collection = rawCollection(model);

  /** Brings the use of an approval that an earlier release has written to the present form. */
  const upgrade = async (challengeId: string): Promise<void> => {
    await collection.updateOne({ ...USE_OF_SCHEMA_1, _id: challengeId }, toUseOfSchema2);
  };

  return {
    /**
     * @returns whether the approval covers the request together with the payment's others, is recent, and was used by no other payment; true again for
     * the same request, unless it has given the approval back
     * @throws CodedError SERVICE_UNAVAILABLE
     */
    consume: async (challengeId: string, payment: PresentedPayment, now: Date): Promise<boolean> => {
      let reading: typeof LATEST | typeof PROVEN = LATEST;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const found = await collection.findOne({ _id: challengeId }, reading);
        if (found?.consumedBy !== undefined && !('revision' in found.consumedBy)) {
          await upgrade(challengeId);
          continue;
        }
        const next = found === null ? undefined : consumptionWith(found satisfies Omit<Challenge, 'id'>, payment, { now, maxAgeDays });
        if (next === undefined || next.revision === found?.consumedBy?.revision) {
          // No write confirms what was read.
          if (reading === PROVEN) return next !== undefined;
          reading = PROVEN;
          continue;
        }
        // The facts that were judged never change once a challenge is approved. Which requests use it together is decided here.
        const unchanged = next.revision === 1 ? { consumedBy: { $exists: false } } : { 'consumedBy.revision': next.revision - 1 };
        const given = { releasedUses: { $ne: useOf(payment) } };
        const { matchedCount } = await collection.updateOne({ _id: challengeId, ...unchanged, ...given }, { $set: { consumedBy: next } });
        if (matchedCount === 1) return true;
      }
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'too many concurrent uses of one approval' });
    },

    /** Makes the user's approvals that nothing has used older by a number of seconds. */
    age: async (userId: string, seconds: number): Promise<void> => {
      await collection.updateMany({ userId, status: 'approved', consumedBy: { $exists: false } }, { $inc: { agedSeconds: seconds } });
    },

    /** Gives back what a request has used, and keeps it from using the approval later. */
    release: async (challengeId: string, use: Pick<PresentedPayment, 'paymentId' | 'requestId'>): Promise<void> => {
      await upgrade(challengeId);
      await collection.updateOne(
        { _id: challengeId, releasedUses: { $ne: useOf(use) } },
        { $push: { releasedUses: { $each: [useOf(use)], $slice: -REMEMBERED_USES } } },
      );
      await collection.updateOne(
        { _id: challengeId, 'consumedBy.paymentId': use.paymentId, 'consumedBy.requests.id': use.requestId },
        { $pull: { 'consumedBy.requests': { id: use.requestId } }, $inc: { 'consumedBy.revision': 1 } },
      );
    },
  };
};

export type ConsumptionStore = ReturnType<typeof createConsumptionStore>;
