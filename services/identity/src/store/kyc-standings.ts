import type { OutboxEvent } from '@florin/data/outbox';
import type { Model } from 'mongoose';
import type { KycEvent, KycStanding, KycState } from '../domain/kyc.ts';
import type { UserDocument } from './users.ts';

/** Events whose ids are remembered, per user. Older ones are known by their sequence. */
const MAX_EVENT_IDS = 50;

export type FoundStanding = KycStanding & { userId: string; partnerId: string };

/** A move of a check, with the event that tells of it. */
export type KycMove = { to: KycState; at: Date; event: OutboxEvent };

/** Where the identity checks of users stand, in the users' own documents. */
export type KycStandingStore = {
  findByProfile: (profileId: string) => Promise<FoundStanding | undefined>;
  find: (userId: string) => Promise<(FoundStanding & { profileId: string }) | undefined>;
  /** Records that an event was seen, and what it moved; false when the standing is another one by now. */
  record: (seen: FoundStanding, event: Pick<KycEvent, 'id' | 'sequence'>, move?: KycMove) => Promise<boolean>;
};

export const createKycStandingStore = (model: Model<UserDocument>): KycStandingStore => {
  const fields = { partnerId: 1, kycStatus: 1, kycSequence: 1, kycEventIds: 1, kycProfileId: 1 } as const;
  const standingOf = (found: UserDocument): FoundStanding & { profileId: string } => ({
    userId: found._id,
    partnerId: found.partnerId,
    profileId: found.kycProfileId,
    state: found.kycStatus,
    sequence: found.kycSequence ?? 0,
    eventIds: found.kycEventIds ?? [],
  });
  return {
    findByProfile: async (profileId) => {
      const found = await model.findOne({ kycProfileId: profileId }, fields).lean<UserDocument>();
      return found === null ? undefined : standingOf(found);
    },
    find: async (userId) => {
      const found = await model.findById(userId, fields).lean<UserDocument>();
      return found === null ? undefined : standingOf(found);
    },
    record: async ({ userId, state, sequence }, event, move) => {
      const moved = move === undefined ? {} : { kycStatus: move.to, kycChangedAt: move.at };
      const { modifiedCount } = await model.updateOne(
        // Users from before the first event have no sequence.
        { _id: userId, kycStatus: state, kycSequence: sequence === 0 ? { $in: [0, null] } : sequence },
        {
          $set: { ...moved, kycSequence: event.sequence },
          $push: {
            kycEventIds: { $each: [event.id], $slice: -MAX_EVENT_IDS },
            ...(move === undefined ? {} : { outbox: move.event }),
          },
        },
      );
      return modifiedCount === 1;
    },
  };
};
