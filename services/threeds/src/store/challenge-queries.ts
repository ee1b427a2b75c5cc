import { LATEST } from '@florin/data/store';
import { valueHashOf } from '../domain/authentication-value.ts';
import type { Challenge } from '../domain/challenge.ts';
import { CHALLENGE_STATUSES, type ChallengeStatus } from '../domain/challenge-state.ts';
import type { ChallengeDocument, ChallengeModel } from './challenge-model.ts';

type ChallengePage = {
  limit: number;
  /** Only challenges with ids below this. */
  before?: string | undefined;
  status?: ChallengeStatus | undefined;
  now: Date;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
  cardId?: string | undefined;
};

/** Reads of many challenges, as stored. */
export type ChallengeQueries = {
  /** The challenges with these ids that exist, in any order. */
  findMany: (ids: readonly string[]) => Promise<Challenge[]>;
  /** A user's challenges, newest first, with ids below `before`, optionally of a period, of a card and in one status at `now`. */
  page: (userId: string, page: ChallengePage) => Promise<Challenge[]>;
  /** The challenges that a service raised, newest first, with ids below `before`, optionally of a period and in one status at `now`. */
  pageRaised: (callerName: string, page: ChallengePage) => Promise<Challenge[]>;
  /** Up to `limit` challenges with a reference, a transaction id of the directory server or an authentication value, newest first. */
  findByReference: (reference: string, limit: number) => Promise<Challenge[]>;
  /** The newest challenge with all of these names. Read as LATEST: an approval has its value just before the payment that presents it. */
  findNamed: (names: ChallengeNames) => Promise<Challenge | undefined>;
  /** The newest challenges with this id or a later one, oldest first, at most 5,000. */
  findSince: (id: string) => Promise<Challenge[]>;
  /** How many challenges of those that expire at a time or later are in each status at `now`, each counted up to a million. */
  countSince: (since: Date, now: Date) => Promise<Record<ChallengeStatus, number>>;
  /** Pending challenges past their expiry, oldest expiry first. */
  findOverdue: (now: Date, limit: number) => Promise<Challenge[]>;
  /** Challenges in processing since `before` or earlier, oldest first. */
  findUnconfirmed: (before: Date, limit: number) => Promise<Challenge[]>;
};

/** Names of a challenge; absent ones are ignored. */
export type ChallengeNames = Partial<Pick<Challenge, 'cardId' | 'callerName' | 'reference' | 'dsTransactionId' | 'valueHash'>>;

const MAX_SINCE = 5000;

/** The counts of one status. */
const MAX_COUNTED = 1_000_000;

export const toChallenge = ({ _id, outbox: _events, relayed: _relayed, ...rest }: ChallengeDocument): Challenge => ({ id: _id, ...rest });

/** The domain's `statusAt` as a query. */
const inStatus = (status: ChallengeStatus, now: Date): object => {
  if (status === 'pending') return { status, expiresAt: { $gt: now } };
  if (status === 'expired') return { $or: [{ status }, { status: 'pending', expiresAt: { $lte: now } }] };
  return { status };
};

const selectionOf = ({ before, status, now, createdFrom, createdBefore, cardId }: ChallengePage): object[] => [
  ...(before === undefined ? [] : [{ _id: { $lt: before } }]),
  ...(status === undefined ? [] : [inStatus(status, now)]),
  ...(createdFrom === undefined ? [] : [{ createdAt: { $gte: createdFrom } }]),
  ...(createdBefore === undefined ? [] : [{ createdAt: { $lt: createdBefore } }]),
  ...(cardId === undefined ? [] : [{ cardId }]),
];

export const createChallengeQueries = (model: ChallengeModel): ChallengeQueries => {
  const list = async (filter: object, sort: Record<string, 1 | -1>, limit: number): Promise<Challenge[]> =>
    (await model.find(filter).sort(sort).limit(limit).lean<ChallengeDocument[]>()).map(toChallenge);

  return {
    findMany: async (ids) => (await model.find({ _id: { $in: ids } }).lean<ChallengeDocument[]>()).map(toChallenge),

    // Ids sort by creation time (UUID v7).
    page: (userId, page) => list({ $and: [{ userId }, ...selectionOf(page)] }, { _id: -1 }, page.limit),

    pageRaised: (callerName, page) => list({ $and: [{ callerName }, ...selectionOf(page)] }, { _id: -1 }, page.limit),

    findByReference: (reference, limit) =>
      list(
        { $or: [{ reference }, { dsTransactionId: reference.toLowerCase() }, { valueHash: valueHashOf(reference) }] },
        { _id: -1 },
        limit,
      ),

    findNamed: async (names) =>
      (await model.find(names, undefined, LATEST).sort({ _id: -1 }).limit(1).lean<ChallengeDocument[]>()).map(toChallenge)[0],

    findSince: async (id) => (await list({ _id: { $gte: id } }, { _id: -1 }, MAX_SINCE)).reverse(),

    // One after another: an overview does not take the connections that decisions need.
    countSince: async (since, now) => {
      const count = (status: ChallengeStatus, expiresAt: object) => model.countDocuments({ status, expiresAt }).limit(MAX_COUNTED);
      const counts: Partial<Record<ChallengeStatus, number>> = {};
      for (const status of CHALLENGE_STATUSES) counts[status] = await count(status, { $gte: since });
      // The sweeper has not stored these expiries yet.
      const overdue = await count('pending', { $gte: since, $lte: now });
      const { pending = 0, expired = 0, processing = 0, approved = 0, declined = 0, cancelled = 0, failed = 0 } = counts;
      return { processing, approved, declined, cancelled, failed, pending: Math.max(0, pending - overdue), expired: expired + overdue };
    },

    findOverdue: (now, limit) => list({ status: 'pending', expiresAt: { $lte: now } }, { expiresAt: 1 }, limit),

    findUnconfirmed: (before, limit) => list({ status: 'processing', processingSince: { $lte: before } }, { processingSince: 1 }, limit),
  };
};
