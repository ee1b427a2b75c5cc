import type { Model } from 'mongoose';
import type { IdentityEvent } from '../domain/events.ts';
import type { KycEvent, KycStanding, KycState } from '../domain/kyc.ts';
import type { UserDocument } from './users.ts';

/** Number of event ids kept per user. Older events are recognized by their sequence. */
const MAX_EVENT_IDS = 50;

export type FoundStanding = KycStanding & { userId: string; partnerId: string };

/** A change of state, with the event that reports it. */
export type KycMove = { to: KycState; at: Date; event: IdentityEvent };

/** Identity checks, stored in the documents of their users. */
export type KycStandingStore = {
  findByProfile: (profileId: string) => Promise<FoundStanding | undefined>;
  /** Undefined for an erased user. */
  find: (userId: string) => Promise<(FoundStanding & { profileId: string }) | undefined>;
  /** Up to `limit` checks in review whose users' ids come after `after`, ascending. */
  inReview: (after: string | undefined, limit: number) => Promise<{ userId: string; profileId: string; since: Date }[]>;
  /** Records an event and the change that it causes. Returns false when the check differs from `seen`. */
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
      const found = await model.findOne({ _id: userId, erasedAt: null }, fields).lean<UserDocument>();
      return found === null ? undefined : standingOf(found);
    },
    inReview: async (after, limit) => {
      const found = model.find(
        { kycStatus: 'in_review', erasedAt: null, ...(after === undefined ? {} : { _id: { $gt: after } }) },
        { kycProfileId: 1, kycChangedAt: 1, createdAt: 1 },
      );
      return (await found.sort({ _id: 1 }).limit(limit).lean<UserDocument[]>()).map(({ _id, kycProfileId, kycChangedAt, createdAt }) => ({
        userId: _id,
        profileId: kycProfileId,
        since: kycChangedAt ?? createdAt,
      }));
    },
    record: async ({ userId, state, sequence }, event, move) => {
      const isRevoked = move !== undefined && state === 'approved';
      const moved = move === undefined ? {} : { kycStatus: move.to, kycChangedAt: move.at };
      const { modifiedCount } = await model.updateOne(
        // A user without events has no sequence.
        { _id: userId, kycStatus: state, kycSequence: sequence === 0 ? { $in: [0, null] } : sequence },
        {
          $set: { ...moved, ...(isRevoked ? { kycRevokedAt: move.at } : {}), kycSequence: event.sequence },
          ...(move?.to === 'approved' ? { $unset: { kycRevokedAt: 1 } } : {}),
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
