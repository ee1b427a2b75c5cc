import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cutFound, cutPage, decodeIdCursor, encodeIdCursor, findLimitOf, pageOf } from '@florin/data/paging';
import { newNonce, toWireTypedMessage } from '@florin/evm/typed-messages';
import {
  type AcknowledgeDecisionRequest,
  type CancelChallengeRequest,
  ChallengeService,
  type CountChallengesRequest,
  type FindChallengesRequest,
  type GetChallengeRequest,
  type GetRaisedChallengeRequest,
  type GetReceiptRequest,
  type IssueDecisionChallengeRequest,
  type ListChallengeChangesRequest,
  type ListChallengesRequest,
  type ListRaisedChallengesRequest,
  type SubmitDecisionRequest,
  type WatchAllChallengesRequest,
  type WatchChallengeRequest,
  type WatchRaisedChallengesRequest,
} from '@florin/proto/threeds/v1/challenge_service';
import { requireFields, stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import {
  implement,
  type ServiceImplementation,
  serviceMethod,
  serviceStream,
  userMethod,
  userOfCall,
  userOrServiceMethod,
} from '@florin/rpc/server';
import { LRUCache } from 'lru-cache';
import { confirmDecision } from '../decisions/confirm-decision.ts';
import { settleDecision } from '../decisions/settle-decision.ts';
import { valueHashOf } from '../domain/authentication-value.ts';
import { authorizationText } from '../domain/authorization-text.ts';
import { type Challenge, confirmedStatus } from '../domain/challenge.ts';
import { isTerminal, progressOf, statusAt } from '../domain/challenge-state.ts';
import { requireUndecided } from '../domain/decision-rules.ts';
import { canBeSignature } from '../domain/decision-signature.ts';
import { decisionTypedData } from '../domain/decision-typed-data.ts';
import { readChanges } from '../watching/read-changes.ts';
import { isPosition } from '../watching/recent-events.ts';
import { createChallenge, referenceKey } from './create-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { STATUS_WORDS, toDecision } from './from-wire.ts';
import { toWireChallenge, toWireReceipt } from './to-wire.ts';

/** Returns a challenge with its status at `serverTime`. */
const getChallenge = ({ runtime, challenges }: Dependencies) =>
  userOrServiceMethod(async ({ challengeId }: GetChallengeRequest, { caller }) => {
    const now = runtime.now();
    const challenge = await challenges.get(challengeId, now, caller.kind === 'service' ? {} : { userId: caller.userId });
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(now) };
  });

/** Returns challenges by the references of those who raised them. */
const findChallenges = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(async (request: FindChallengesRequest) => {
    const limit = findLimitOf(request);
    const now = runtime.now();
    const { rows, hasMore } = cutFound(await challenges.findByReference(request.reference, limit + 1), limit);
    const exact = await Promise.all(rows.map((challenge) => challenges.exactAt(challenge, now)));
    return { challenges: exact.map(toWireChallenge), hasMore };
  });

const LONGEST_MS = 31 * 86_400_000;

/** Counts the challenges of all users that could be decided at a time or later, by their states. */
const countChallenges = ({ challenges, runtime }: Dependencies) =>
  serviceMethod(async (request: CountChallengesRequest) => {
    const since = timestampDate(stated(request.since));
    const now = runtime.now();
    requireFields({ since: now.getTime() - since.getTime() > LONGEST_MS ? 'must be at most 31 days ago' : undefined });
    const { pending, processing, approved, declined, expired, cancelled, failed } = await challenges.countSince(since, now);
    const ended = { approved: BigInt(approved), declined: BigInt(declined), expired: BigInt(expired) };
    return { open: BigInt(pending + processing), ...ended, cancelled: BigInt(cancelled), failed: BigInt(failed) };
  });

const toDate = (time: Timestamp | undefined): Date | undefined => time && timestampDate(time);

/** @throws CodedError VALIDATION_FAILED for a period that is reversed */
const periodOf = (request: Pick<ListChallengesRequest, 'createdFrom' | 'createdBefore'>) => {
  const [createdFrom, createdBefore] = [toDate(request.createdFrom), toDate(request.createdBefore)];
  const isReversed = createdFrom !== undefined && createdBefore !== undefined && createdFrom > createdBefore;
  requireFields({ created_from: isReversed ? 'must not be after created_before' : undefined });
  return { createdFrom, createdBefore };
};

/**
 * Returns a page of a user's challenges, newest first, each with its status at `serverTime`. New ones never shift the pages
 * after a cursor.
 */
const listChallenges = ({ challenges, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: ListChallengesRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const status = STATUS_WORDS.toWord(request.status);
    const page = pageOf(request);
    const now = runtime.now();
    const before = decodeIdCursor(page.cursor);
    const selected = { status, cardId: request.cardId || undefined, ...periodOf(request) };
    const found = await challenges.page(userId, { ...selected, limit: page.limit + 1, before, now });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    const exact = await Promise.all(rows.map((challenge) => challenges.exactAt(challenge, now)));
    return {
      // A challenge decided elsewhere while its expiry was being stored no longer matches the filter.
      challenges: exact.filter((challenge) => status === undefined || challenge.status === status).map(toWireChallenge),
      page: { nextCursor },
      serverTime: timestampFromDate(now),
    };
  });

/** Streams the current state of a challenge and each change; ends after a terminal state. */
const watchChallenge = ({ runtime, challenges, hub }: Dependencies) =>
  serviceStream(async function* ({ challengeId }: WatchChallengeRequest, { signal }) {
    // Registered before the first read, so that no change is missed in between.
    const watch = hub.watchChallenge(challengeId, signal);
    try {
      watch.deliver(await challenges.get(challengeId, runtime.now()));
      for (;;) {
        const challenge = await watch.next();
        if (challenge === undefined) return;
        const now = runtime.now();
        // A challenge that expired while its state waited for the reader is followed by its expiry.
        if (statusAt(challenge, now) === challenge.status) {
          yield { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(now) };
        }
        if (isTerminal(challenge.status)) return;
      }
    } finally {
      watch.close();
    }
  });

/** Pending challenges of one user in a snapshot; far more than a person can decide during the lifetime of a challenge. */
const MAX_PENDING = 100;

/** Instances are milliseconds apart; one that is further behind returns a snapshot, which needs no events. */
const CATCH_UP_MS = 1000;

/**
 * Returns what a reader of the caller's challenges reads first: the changes after a position, or the pending challenges. Whoever
 * registers with a stream before this call misses nothing: a snapshot is read from the store, which is ahead of every event; changes
 * after a position are known up to `atLeast`.
 */
const listChallengeChanges = ({ challenges, hub, runtime }: Dependencies) =>
  userMethod(async ({ lastEventId, atLeast }: ListChallengeChangesRequest, { caller: { userId } }) => {
    // An unknown last_event_id is no error.
    requireFields({ at_least: atLeast === '' || isPosition(atLeast) ? undefined : 'must be the event_id of a stream' });
    const known = lastEventId !== '' && (atLeast === '' || (await hub.reached(atLeast, CATCH_UP_MS)));
    // Taken before the store is read: what it returns is complete up to here.
    const eventId = hub.position();
    const changed = known ? hub.since(lastEventId, userId) : undefined;
    const now = runtime.now();
    const toResponse = (found: Parameters<typeof toWireChallenge>[0][]) => ({
      challenges: found.map(toWireChallenge),
      eventId,
      snapshot: changed === undefined,
      serverTime: timestampFromDate(now),
    });
    if (changed === undefined) {
      const pending = await challenges.page(userId, { status: 'pending', limit: MAX_PENDING, now });
      // Oldest first, in the order in which they appeared.
      return toResponse(pending.reverse());
    }
    const found = await challenges.inOrder(
      changed.map(({ challengeId }) => challengeId),
      now,
    );
    // Events say which challenges have changed, and the database whose they are: others can write events.
    return toResponse(found.filter((challenge) => challenge.userId === userId));
  });

/** Streams the changes of all challenges, and the position at intervals. */
const watchAllChallenges = ({ challenges, hub, runtime }: Dependencies) =>
  serviceStream(async function* ({ lastEventId }: WatchAllChallengesRequest, { signal }) {
    for await (const { position, challenge, gap } of readChanges({ challenges, hub, runtime }, lastEventId, signal)) {
      const mark = { eventId: position, serverTime: timestampFromDate(runtime.now()) };
      yield challenge === undefined
        ? { ...mark, gap: gap === true }
        : { ...mark, challenge: toWireChallenge(challenge), userId: challenge.userId };
    }
  });

/** Returns a challenge that the calling service raised, by its id, the caller's reference or the directory server's id. */
const getRaisedChallenge = ({ runtime, challenges, reservations }: Dependencies) =>
  serviceMethod(async ({ key }: GetRaisedChallengeRequest, { caller }) => {
    const idOf = async (): Promise<string | undefined> => {
      if (key.case === 'reference') return reservations.lookUp(referenceKey(caller.name, key.value));
      if (key.case === 'challengeId') return key.value;
      return (await challenges.findNamed({ callerName: caller.name, dsTransactionId: stated(key.value) }))?.id;
    };
    const id = await idOf();
    // The reference of a request that was rejected, or is still under way, names no challenge.
    if (id === undefined) throw new CodedError('CHALLENGE_NOT_FOUND');
    const now = runtime.now();
    const challenge = await challenges.get(id, now, { callerName: caller.name });
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(now) };
  });

/** Returns a page of the challenges that the calling service raised, newest first, each with its status at `serverTime`. */
const listRaisedChallenges = ({ challenges, runtime }: Dependencies) =>
  serviceMethod(async (request: ListRaisedChallengesRequest, { caller }) => {
    const page = pageOf(request);
    const status = STATUS_WORDS.toWord(request.status);
    const period = periodOf(request);
    const now = runtime.now();
    const before = decodeIdCursor(page.cursor);
    const found = await challenges.pageRaised(caller.name, { status, ...period, limit: page.limit + 1, before, now });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    const exact = await Promise.all(rows.map((challenge) => challenges.exactAt(challenge, now)));
    return {
      // A challenge decided elsewhere while its expiry was being stored no longer matches the filter.
      challenges: exact.filter((challenge) => status === undefined || challenge.status === status).map(toWireChallenge),
      page: { nextCursor },
      serverTime: timestampFromDate(now),
    };
  });

/** Challenges whose last sent state is remembered per stream, so that no state is repeated. */
const MAX_SENT = 10_000;

/** Streams the changes of the challenges that the calling service raised, and the position at intervals. */
const watchRaisedChallenges = ({ challenges, hub, runtime }: Dependencies) =>
  serviceStream(async function* ({ lastEventId }: WatchRaisedChallengesRequest, { caller, signal }) {
    const sent = new LRUCache<string, number>({ max: MAX_SENT });
    for await (const { position, challenge, gap } of readChanges({ challenges, hub, runtime }, lastEventId, signal)) {
      const mark = { eventId: position, serverTime: timestampFromDate(runtime.now()) };
      if (challenge === undefined) {
        yield { ...mark, gap: gap === true };
      } else if (challenge.callerName === caller.name && progressOf(challenge.status) > (sent.get(challenge.id) ?? -1)) {
        sent.set(challenge.id, progressOf(challenge.status));
        yield { ...mark, challenge: toWireChallenge(challenge) };
      }
    }
  });

/** Issues fresh typed data for one decision, stored together with exactly what may be signed. */
const issueDecisionChallenge = ({ runtime, challenges }: Dependencies) =>
  userMethod(async (request: IssueDecisionChallengeRequest, { caller: { userId } }) => {
    const { challengeId } = request;
    const decision = toDecision(request.decision);
    // The facts in the text never change; the write below decides whether a decision is still possible.
    const challenge = await challenges.recall(challengeId);
    if (challenge === undefined || challenge.userId !== userId) throw new CodedError('CHALLENGE_NOT_FOUND');

    const message = { authorization: authorizationText(challenge, decision, request), nonce: newNonce(runtime.randomBytes) };
    const issuedAt = runtime.now();
    const stored = await challenges.addTypedData(challenge.id, decision, { ...message, issuedAt }, issuedAt);
    if (!stored) {
      // Decided, cancelled or expired: raise the code that says which.
      requireUndecided(await challenges.get(challengeId, runtime.now(), { userId }));
      throw new CodedError('DECISION_NOT_AVAILABLE');
    }
    return { typedData: toWireTypedMessage(decisionTypedData(challenge.chainId, message)) };
  });

/** Accepts a signed decision, exactly once. The access control server is notified outside the lock. */
const submitDecision = ({ runtime, challenges, cards, accounts, wallets, contracts, acs, lock }: Dependencies) =>
  userMethod(async (request: SubmitDecisionRequest, call) => {
    const { challengeId, signature } = request;
    if (!canBeSignature(signature)) throw new CodedError('INVALID_SIGNATURE');
    const submitted = { challengeId, decision: toDecision(request.decision), signature };
    const settled = await settleDecision({ runtime, challenges, cards, accounts, wallets, contracts, acs, lock }, submitted, call);
    const challenge = await confirmDecision({ runtime, challenges, acs }, settled, call.logger);
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(runtime.now()) };
  });

const isConfirmed = ({ status, decision }: Challenge): boolean => decision !== undefined && status === confirmedStatus(decision);

/** Confirms a decision on behalf of the access control server that raised the challenge. A confirmed challenge is returned unchanged. */
const acknowledgeDecision = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(async ({ challengeId, authenticationValue }: AcknowledgeDecisionRequest, { caller }) => {
    const owner = { callerName: caller.name };
    const found = await challenges.get(challengeId, runtime.now(), owner);
    const { status, decision } = found;
    let challenge = found;
    if (status === 'processing' && decision !== undefined) {
      const confirmed = await challenges.confirm(
        { ...found, decision },
        runtime.now(),
        authenticationValue === '' ? {} : { valueHash: valueHashOf(authenticationValue) },
      );
      // Lost to a concurrent write: return what that one made of the challenge.
      challenge = confirmed ?? (await challenges.get(challengeId, runtime.now(), owner));
    }
    if (!isConfirmed(challenge)) throw new CodedError('CHALLENGE_STATE_CONFLICT');
    return { challenge: toWireChallenge(challenge) };
  });

/** Cancels a pending challenge on behalf of the access control server that raised it. A cancelled challenge is returned unchanged. */
const cancelChallenge = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(async ({ challengeId }: CancelChallengeRequest, { caller }) => {
    const owner = { callerName: caller.name };
    let challenge = await challenges.get(challengeId, runtime.now(), owner);
    if (challenge.status === 'pending') {
      const cancelled = await challenges.cancel(challenge, runtime.now());
      // Lost to a decision or a concurrent write: return what that one made of the challenge.
      challenge = cancelled ?? (await challenges.get(challengeId, runtime.now(), owner));
    }
    if (challenge.status !== 'cancelled') throw new CodedError('CHALLENGE_STATE_CONFLICT');
    return { challenge: toWireChallenge(challenge) };
  });

/** Returns the evidence of a decision. */
const getReceipt = ({ runtime, challenges }: Dependencies) =>
  userOrServiceMethod(async ({ challengeId }: GetReceiptRequest, { caller }) => {
    const challenge = await challenges.get(challengeId, runtime.now(), caller.kind === 'service' ? {} : { userId: caller.userId });
    const { decision, receipt } = challenge;
    if (decision === undefined || receipt === undefined) throw new CodedError('RECEIPT_NOT_FOUND');
    return { receipt: toWireReceipt(challenge, decision, receipt) };
  });

/** Implementation of the contract `ChallengeService`. */
export const challengeService = (dependencies: Dependencies): ServiceImplementation =>
  implement(ChallengeService, {
    createChallenge: createChallenge(dependencies),
    getChallenge: getChallenge(dependencies),
    findChallenges: findChallenges(dependencies),
    countChallenges: countChallenges(dependencies),
    listChallenges: listChallenges(dependencies),
    watchChallenge: watchChallenge(dependencies),
    listChallengeChanges: listChallengeChanges(dependencies),
    watchAllChallenges: watchAllChallenges(dependencies),
    getRaisedChallenge: getRaisedChallenge(dependencies),
    listRaisedChallenges: listRaisedChallenges(dependencies),
    watchRaisedChallenges: watchRaisedChallenges(dependencies),
    issueDecisionChallenge: issueDecisionChallenge(dependencies),
    submitDecision: submitDecision(dependencies),
    acknowledgeDecision: acknowledgeDecision(dependencies),
    cancelChallenge: cancelChallenge(dependencies),
    getReceipt: getReceipt(dependencies),
  });
