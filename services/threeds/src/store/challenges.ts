import { createBatchedUpdates, isDuplicateKey, rawCollection } from '@florin/data/store';
import { createCoalescedReads, SHARED_REST_MS, SHARED_SPACING_MS } from '@florin/rpc/coalesce';
import { CodedError } from '@florin/rpc/errors';
import { LRUCache } from 'lru-cache';
import {
  type Challenge,
  confirmedStatus,
  type Decision,
  type IssuedTypedData,
  MAX_BAD_SIGNATURES,
  MAX_OPEN_TYPED_DATA,
  type Receipt,
} from '../domain/challenge.ts';
import { type ChallengeStatus, canBecome, statusAt } from '../domain/challenge-state.ts';
import { type ChallengeEvent, challengeEvent } from '../domain/events.ts';
import type { ChallengeModel } from './challenge-model.ts';
import { type ChallengeQueries, createChallengeQueries, toChallenge } from './challenge-queries.ts';

/** About a kilobyte each. */
const MAX_REMEMBERED = 5000;

/** The challenges that this process has seen most recently, as it last saw them. Looking one up does not count as seeing it. */
const createRememberedChallenges = () => {
  const seen = new LRUCache<string, Challenge>({ max: MAX_REMEMBERED });
  return {
    get: (id: string): Challenge | undefined => seen.peek(id),
    remember: (challenge: Challenge): Challenge => {
      seen.set(challenge.id, challenge);
      return challenge;
    },
  };
};

/** Restricts `get` to the challenges of a user or of the service that raised them. */
type ChallengeOwner = { userId: string } | { callerName: string } | Record<string, never>;

/** Each mutation is one conditional write to one document; it returns undefined if its condition did not hold. */
export type ChallengeStore = ChallengeQueries & {
  /** Stores a new challenge, or returns the existing one with the same id. */
  insert: (challenge: Challenge) => Promise<Challenge>;
  find: (id: string) => Promise<Challenge | undefined>;
  /**
   * The challenge with its exact status at `now`, see `exactAt`.
   * @throws CodedError CHALLENGE_NOT_FOUND, for another owner's challenge too
   */
  get: (id: string, now: Date, owner?: ChallengeOwner) => Promise<Challenge>;
  /**
   * The challenge with its exact status at `now`. An expiry is stored before this returns: a decision that was verified in time and
   * whose write is still under way then fails, so what callers have seen stays true even if the clocks of instances differ.
   */
  exactAt: (challenge: Challenge, now: Date) => Promise<Challenge>;
  /** A possibly stale challenge, from memory if this process has seen it recently. Use it only for facts that never change. */
  recall: (id: string) => Promise<Challenge | undefined>;
  /**
   * A challenge that was pending when this process last saw it, with the typed data of that time. Use it only to try a conditional
   * write without reading first, never as a response.
   */
  recallOpen: (id: string) => Challenge | undefined;
  /** A challenge as this process last saw it, possibly stale; undefined if it has not seen it recently. */
  remembered: (id: string) => Challenge | undefined;
  /** The challenges with these ids that exist, in the order of the ids, each with its exact status at `now`. */
  inOrder: (ids: readonly string[], now: Date) => Promise<Challenge[]>;
  /** Adds typed data to a challenge that is pending at `now`; drops the oldest beyond the limit. Returns whether it was added. */
  addTypedData: (id: string, decision: Decision, issued: IssuedTypedData, now: Date) => Promise<boolean>;
  /**
   * pending → processing, if pending at `receipt.decidedAt` and the receipt's typed data is still open for this decision;
   * with `confirmed`, on to approved or declined in the same write.
   */
  decide: (challenge: Challenge, decision: Decision, receipt: Receipt, confirmed: boolean) => Promise<Challenge | undefined>;
  /** Counts a bad signature on a challenge that is pending at `now`; the fifth one fails it. Returns how many are left, undefined if it was not counted. */
  countBadSignature: (challenge: Challenge, now: Date) => Promise<number | undefined>;
  /** processing → approved or declined, as decided, with what else is known then. */
  confirm: (challenge: Challenge & { decision: Decision }, now: Date, set?: Pick<Challenge, 'valueHash'>) => Promise<Challenge | undefined>;
  /** Makes a pending challenge older by a number of seconds; typed data that names its expiry is dropped. */
  age: (challenge: Challenge, seconds: number, now: Date) => Promise<Challenge | undefined>;
  /** pending → cancelled, before its expiry. */
  cancel: (challenge: Challenge, now: Date) => Promise<Challenge | undefined>;
  /** pending → expired, after its expiry. */
  expire: (challenge: Challenge, now: Date) => Promise<Challenge | undefined>;
  /** processing since `decidedBefore` or earlier → failed. */
  failUnconfirmed: (challenge: Challenge, decidedBefore: Date, now: Date) => Promise<Challenge | undefined>;
};

/** The statuses that one write moves a challenge through, with an event for each status reached. */
type Path = readonly [from: ChallengeStatus, ...reached: ChallengeStatus[]];

type Move = { where?: object; set?: object; increment?: { badSignatures: number }; at: Date; decision?: Decision | undefined };

const isOwnedBy = ({ userId, callerName }: Challenge, owner: ChallengeOwner): boolean =>
  (!('userId' in owner) || owner.userId === userId) && (!('callerName' in owner) || owner.callerName === callerName);

/**
 * @param newId generates event ids
 * @param onEvent called after each write that stored an event
 */
export const createChallengeStore = (model: ChallengeModel, newId: () => string, onEvent: () => void): ChallengeStore => {
  // Bypasses mongoose's casting on the path of each decision, where it costs as much as the signature hashing.
  const collection = rawCollection(model);

  const update = createBatchedUpdates(collection, { maxRestMs: SHARED_REST_MS });

  const { get: recall, remember } = createRememberedChallenges();

  const stamp = (at: Date, event: ChallengeEvent) => ({ id: newId(), at, ...event });

  /** The events of a path, one for each status reached. */
  const eventsOf = (challenge: Challenge, path: Path, { at, decision = challenge.decision }: Pick<Move, 'at' | 'decision'>) => {
    const [from, ...reached] = path;
    return reached.map((status, index) => {
      const before = path[index] ?? from;
      if (!canBecome(before, status)) throw new Error(`unreachable: a challenge cannot change from ${before} to ${status}`);
      return stamp(at, challengeEvent(challenge, status, decision));
    });
  };

  /**
   * The way to another status, besides `decide`: condition, change and events in a single write. On a path of one status, the challenge stays in
   * it and only other fields change.
   */
  const move = async (challenge: Challenge, path: Path, { where, set, increment, at }: Move): Promise<Challenge | undefined> => {
    const [from] = path;
    const events = eventsOf(challenge, path, { at });
    const found = await collection.findOneAndUpdate(
      { _id: challenge.id, status: from, ...where },
      {
        $set: { status: path.at(-1) ?? from, ...set },
        $push: { outbox: { $each: events } },
        ...(increment === undefined ? {} : { $inc: increment }),
      },
      { returnDocument: 'after' },
    );
    if (found === null) return undefined;
    if (events.length > 0) onEvent();
    return remember(toChallenge(found));
  };

  /** Without the events, which only their relay reads. */
  const load = async (ids: readonly string[]): Promise<ReadonlyMap<string, Challenge>> => {
    const found = await collection.find({ _id: { $in: [...ids] } }, { projection: { outbox: 0 } }).toArray();
    return new Map(found.map((document) => [document._id, remember(toChallenge(document))]));
  };
  const find: ChallengeStore['find'] = createCoalescedReads({ load, maxCalls: 2, maxItems: 100, spacingMs: SHARED_SPACING_MS });

  const expire: ChallengeStore['expire'] = (challenge, now) =>
    move(challenge, ['pending', 'expired'], { where: { expiresAt: { $lte: now } }, at: now });

  const exactAt: ChallengeStore['exactAt'] = async (challenge, now) => {
    if (statusAt(challenge, now) === challenge.status) return challenge;
    const expired = (await expire(challenge, now)) ?? (await find(challenge.id));
    if (expired === undefined) throw new Error('unreachable: challenges are never deleted');
    return expired;
  };

  const queries = createChallengeQueries(model);

  return {
    ...queries,
    find,

    get: async (id, now, owner = {}) => {
      const challenge = await find(id);
      if (challenge === undefined || !isOwnedBy(challenge, owner)) throw new CodedError('CHALLENGE_NOT_FOUND');
      return exactAt(challenge, now);
    },

    exactAt,

    recall: async (id) => recall(id) ?? find(id),

    remembered: recall,

    recallOpen: (id) => {
      const challenge = recall(id);
      return challenge?.status === 'pending' ? challenge : undefined;
    },

    inOrder: async (ids, now) => {
      const found = ids.length === 0 ? [] : await queries.findMany(ids);
      const exact = await Promise.all(found.map(async (challenge) => [challenge.id, await exactAt(challenge, now)] as const));
      const states = new Map(exact);
      return ids.flatMap((id) => states.get(id) ?? []);
    },

    insert: async ({ id, ...rest }) => {
      const created = stamp(rest.createdAt, challengeEvent({ id, ...rest }, 'pending', undefined));
      try {
        await model.create({ _id: id, ...rest, outbox: [created] });
      } catch (error) {
        const existing = isDuplicateKey(error) ? await find(id) : undefined;
        if (existing === undefined) throw error;
        return existing;
      }
      onEvent();
      return remember({ id, ...rest });
    },

    addTypedData: async (id, decision, issued, now) => {
      const added = await update({
        id,
        where: { status: 'pending', decision: { $exists: false }, expiresAt: { $gt: now } },
        update: { $push: { [`issued.${decision}`]: { $each: [issued], $slice: -MAX_OPEN_TYPED_DATA } } },
        isMadeIn: (stored) => stored.issued[decision].some(({ nonce }) => nonce === issued.nonce),
      });
      if (!added) return false;
      const challenge = recall(id);
      if (challenge !== undefined) {
        const open = [...challenge.issued[decision], issued].slice(-MAX_OPEN_TYPED_DATA);
        remember({ ...challenge, issued: { ...challenge.issued, [decision]: open } });
      }
      return true;
    },

    // This condition alone makes the decision correct: of any number of concurrent writers on any number of instances, the
    // first moves the challenge out of `pending`, and the others match nothing.
    decide: async (challenge, decision, receipt, confirmed) => {
      const path: Path = confirmed ? ['pending', 'processing', confirmedStatus(decision)] : ['pending', 'processing'];
      const { decidedAt: at, typedData } = receipt;
      const { nonce } = typedData;
      const status = path.at(-1) ?? 'processing';
      const set = { status, decision, receipt, processingSince: at, issued: { approve: [], decline: [] } };
      const decided = await update({
        id: challenge.id,
        where: { status: 'pending', decision: { $exists: false }, expiresAt: { $gt: at }, [`issued.${decision}.nonce`]: nonce },
        update: { $set: set, $push: { outbox: { $each: eventsOf(challenge, path, { at, decision }) } } },
        // A concurrent request with the same signature has made the same decision.
        isMadeIn: (stored) => stored.receipt?.typedData.nonce === nonce,
      });
      if (!decided) return undefined;
      onEvent();
      // The other facts of a pending challenge never change, except those of `age`, which drops the typed data that was signed.
      return remember({ ...challenge, ...set });
    },

    // Two mutually exclusive conditions, each with its own atomic write. The count only grows, so a writer that misses the first
    // because the limit is near matches the second.
    countBadSignature: async (challenge, now) => {
      const inTime = { expiresAt: { $gt: now } };
      const increment = { badSignatures: 1 };
      const below = { ...inTime, badSignatures: { $lt: MAX_BAD_SIGNATURES - 1 } };
      const counted = await move(challenge, ['pending'], { where: below, increment, at: now });
      if (counted !== undefined) return MAX_BAD_SIGNATURES - counted.badSignatures;
      const last = { ...inTime, badSignatures: { $gte: MAX_BAD_SIGNATURES - 1 } };
      return (await move(challenge, ['pending', 'failed'], { where: last, increment, at: now })) === undefined ? undefined : 0;
    },

    confirm: (challenge, now, set = {}) =>
      move(challenge, ['processing', confirmedStatus(challenge.decision)], { where: { decision: challenge.decision }, set, at: now }),

    age: (challenge, seconds, now) => {
      const { createdAt, expiresAt } = challenge;
      const earlier = (time: Date): Date => new Date(time.getTime() - seconds * 1000);
      const set = { createdAt: earlier(createdAt), expiresAt: earlier(expiresAt), issued: { approve: [], decline: [] } };
      return move(challenge, ['pending'], { where: { expiresAt }, set, at: now });
    },

    cancel: (challenge, now) => move(challenge, ['pending', 'cancelled'], { where: { expiresAt: { $gt: now } }, at: now }),

    expire,

    failUnconfirmed: (challenge, decidedBefore, now) =>
      move(challenge, ['processing', 'failed'], { where: { processingSince: { $lte: decidedBefore } }, at: now }),
  };
};
