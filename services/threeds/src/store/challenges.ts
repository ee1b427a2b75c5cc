import { isDuplicateKey } from '@florin/data/store';
import type { mongo } from 'mongoose';
import {
  type Challenge,
  confirmedStatus,
  type Decision,
  type IssuedTypedData,
  MAX_BAD_SIGNATURES,
  MAX_OPEN_TYPED_DATA,
  type Receipt,
} from '../domain/challenge.ts';
import { type ChallengeStatus, canBecome } from '../domain/challenge-state.ts';
import { challengeEvent } from './challenge-event.ts';
import type { ChallengeDocument, ChallengeModel } from './challenge-model.ts';

/** Every write is one conditional write to one document; `undefined` says that its condition did not hold (any more). */
export type Challenges = {
  /** Stores a new challenge, or answers the one that has its id already. */
  insert: (challenge: Challenge) => Promise<Challenge>;
  find: (id: string) => Promise<Challenge | undefined>;
  /**
   * A challenge as it once was, from memory when this process has seen it lately: for what never changes (whose it is, what is paid,
   * until when), and nothing else.
   */
  recall: (id: string) => Promise<Challenge | undefined>;
  /**
   * A challenge that was pending when this process last met it, with the typed data that it then had. Anything may have happened
   * since: good for trying a conditional write without reading first, and for nothing that is told to anybody.
   */
  recallOpen: (id: string) => Challenge | undefined;
  /** Those of the ids that there are, in any order. */
  findMany: (ids: readonly string[]) => Promise<Challenge[]>;
  /** A user's challenges, newest first: those before an id, in one status at `now` or in any. */
  page: (userId: string, page: ChallengePage) => Promise<Challenge[]>;
  /** Challenges of those users raised after a time, oldest first, at most a thousand. */
  findRecent: (userIds: readonly string[], raisedAfter: Date) => Promise<Challenge[]>;
  /** Adds typed data to a challenge that is pending and not past its time at `now`; drops the oldest beyond the limit. */
  addTypedData: (id: string, decision: Decision, issued: IssuedTypedData, now: Date) => Promise<true | undefined>;
  /**
   * pending → processing, if undecided, in time at `receipt.decidedAt`, and the receipt's typed data is still open for this decision;
   * `confirmed`: and on to approved or declined in the same write.
   */
  decide: (challenge: Challenge, decision: Decision, receipt: Receipt, confirmed: boolean) => Promise<Challenge | undefined>;
  /** Counts a bad signature against a challenge that is pending and in time; the last one allowed ends it as failed. */
  countBadSignature: (challenge: Challenge, now: Date) => Promise<void>;
  /** processing → approved or declined, as decided. */
  confirm: (challenge: Challenge & { decision: Decision }, now: Date) => Promise<Challenge | undefined>;
  /** pending and in time → cancelled. */
  cancel: (challenge: Challenge, now: Date) => Promise<Challenge | undefined>;
  /** pending and past its time → expired. */
  expire: (challenge: Challenge, now: Date) => Promise<Challenge | undefined>;
  /** processing since `decidedBefore` or longer → failed. */
  failUnconfirmed: (challenge: Challenge, decidedBefore: Date, now: Date) => Promise<Challenge | undefined>;
  /** Pending challenges past their time, the longest overdue first. */
  findOverdue: (now: Date, limit: number) => Promise<Challenge[]>;
  /** Challenges that wait for confirmation since `before` or longer, the longest first. */
  findUnconfirmed: (before: Date, limit: number) => Promise<Challenge[]>;
};

export type ChallengePage = { limit: number; before?: string | undefined; status?: ChallengeStatus | undefined; now: Date };

const MAX_RECENT = 1000;

/** Challenges that live now, a kilobyte each. */
const MAX_REMEMBERED = 5000;

/** A status as it is at `now`: what lies there as pending may be expired by then, whether or not anything swept it. */
const inStatus = (status: ChallengeStatus, now: Date): object => {
  if (status === 'pending') return { status, expiresAt: { $gt: now } };
  if (status === 'expired') return { $or: [{ status }, { status: 'pending', expiresAt: { $lte: now } }] };
  return { status };
};

/** The statuses that a write takes a challenge through, with an event for each that it reaches. */
type Path = readonly [from: ChallengeStatus, ...reached: ChallengeStatus[]];

type Move = { where?: object; set?: object; increment?: object; at: Date; decision?: Decision };

const toChallenge = ({ _id, outbox: _events, ...rest }: ChallengeDocument): Challenge => ({ id: _id, ...rest });

/**
 * @param newId makes the ids of events
 * @param onEvent is told after each write that left an event
 */
export const createChallenges = (model: ChallengeModel, newId: () => string, onEvent: () => void): Challenges => {
  // Without mongoose's casting, on what each decision goes through: the types hold what is written, and its cost is that of the hashing.
  const collection = model.collection as unknown as mongo.Collection<ChallengeDocument>;

  const seen = new Map<string, Challenge>();
  const remember = (challenge: Challenge): Challenge => {
    seen.delete(challenge.id);
    seen.set(challenge.id, challenge);
    const oldest = seen.size > MAX_REMEMBERED ? seen.keys().next().value : undefined;
    if (oldest !== undefined) seen.delete(oldest);
    return challenge;
  };

  const update = async (filter: mongo.Filter<ChallengeDocument>, change: object): Promise<Challenge | undefined> => {
    const found = await collection.findOneAndUpdate(filter, change, { returnDocument: 'after' });
    return found === null ? undefined : remember(toChallenge(found));
  };

  /** The one way to another status: its condition, its change and its events in a single write. */
  const move = async (challenge: Challenge, path: Path, { where, set, increment, at, decision }: Move): Promise<Challenge | undefined> => {
    const [from, ...reached] = path;
    const events = reached.map((status, index) => {
      const before = path[index] ?? from;
      if (!canBecome(before, status)) throw new Error(`a challenge cannot become ${status} from ${before}`);
      return challengeEvent(challenge, { id: newId(), status, decision: decision ?? challenge.decision, at });
    });
    const moved = await update(
      { _id: challenge.id, status: from, ...where },
      {
        $set: { status: reached.at(-1), ...set },
        $push: { outbox: { $each: events } },
        ...(increment === undefined ? {} : { $inc: increment }),
      },
    );
    if (moved !== undefined) onEvent();
    return moved;
  };

  const find: Challenges['find'] = async (id) => {
    const found = await collection.findOne({ _id: id });
    return found === null ? undefined : remember(toChallenge(found));
  };

  const list = async (filter: object, sort: Record<string, 1 | -1>, limit: number): Promise<Challenge[]> =>
    (await model.find(filter).sort(sort).limit(limit).lean<ChallengeDocument[]>()).map(toChallenge);

  return {
    find,

    recall: async (id) => seen.get(id) ?? find(id),

    recallOpen: (id) => {
      const challenge = seen.get(id);
      return challenge?.status === 'pending' ? challenge : undefined;
    },

    findMany: async (ids) => (await model.find({ _id: { $in: ids } }).lean<ChallengeDocument[]>()).map(toChallenge),

    // Ids begin with their time (UUID v7).
    page: (userId, { limit, before, status, now }) =>
      list(
        { userId, ...(before === undefined ? {} : { _id: { $lt: before } }), ...(status === undefined ? {} : inStatus(status, now)) },
        { _id: -1 },
        limit,
      ),

    findRecent: (userIds, raisedAfter) => list({ userId: { $in: userIds }, createdAt: { $gt: raisedAfter } }, { createdAt: 1 }, MAX_RECENT),

    insert: async ({ id, ...rest }) => {
      const created = challengeEvent(rest, { id: newId(), status: 'pending', at: rest.createdAt });
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
      const { matchedCount } = await collection.updateOne(
        { _id: id, status: 'pending', decision: { $exists: false }, expiresAt: { $gt: now } },
        { $push: { [`issued.${decision}`]: { $each: [issued], $slice: -MAX_OPEN_TYPED_DATA } } },
      );
      if (matchedCount === 0) return undefined;
      const challenge = seen.get(id);
      if (challenge !== undefined) {
        const open = [...challenge.issued[decision], issued].slice(-MAX_OPEN_TYPED_DATA);
        remember({ ...challenge, issued: { ...challenge.issued, [decision]: open } });
      }
      return true;
    },

    // All that makes the decision right stands in this condition: of any number of racing writers, on any number of
    // instances, the first one takes the challenge out of `pending` and every other one finds nothing to change.
    decide: (challenge, decision, receipt, confirmed) =>
      move(challenge, confirmed ? ['pending', 'processing', confirmedStatus(decision)] : ['pending', 'processing'], {
        where: {
          decision: { $exists: false },
          expiresAt: { $gt: receipt.decidedAt },
          [`issued.${decision}.nonce`]: receipt.typedData.nonce,
        },
        set: { decision, receipt, processingSince: receipt.decidedAt, issued: { approve: [], decline: [] } },
        at: receipt.decidedAt,
        decision,
      }),

    // Two conditions that exclude each other, each with its own atomic write. The count only grows, so that whoever misses the
    // first because the limit came near meets the second.
    countBadSignature: async (challenge, now) => {
      const inTime = { expiresAt: { $gt: now } };
      const counted = await update(
        { _id: challenge.id, status: 'pending', ...inTime, badSignatures: { $lt: MAX_BAD_SIGNATURES - 1 } },
        { $inc: { badSignatures: 1 } },
      );
      if (counted !== undefined) return;
      const where = { ...inTime, badSignatures: { $gte: MAX_BAD_SIGNATURES - 1 } };
      await move(challenge, ['pending', 'failed'], { where, increment: { badSignatures: 1 }, at: now });
    },

    confirm: (challenge, now) =>
      move(challenge, ['processing', confirmedStatus(challenge.decision)], { where: { decision: challenge.decision }, at: now }),

    cancel: (challenge, now) => move(challenge, ['pending', 'cancelled'], { where: { expiresAt: { $gt: now } }, at: now }),

    expire: (challenge, now) => move(challenge, ['pending', 'expired'], { where: { expiresAt: { $lte: now } }, at: now }),

    failUnconfirmed: (challenge, decidedBefore, now) =>
      move(challenge, ['processing', 'failed'], { where: { processingSince: { $lte: decidedBefore } }, at: now }),

    findOverdue: (now, limit) => list({ status: 'pending', expiresAt: { $lte: now } }, { expiresAt: 1 }, limit),

    findUnconfirmed: (before, limit) => list({ status: 'processing', processingSince: { $lte: before } }, { processingSince: 1 }, limit),
  };
};
