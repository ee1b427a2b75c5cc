import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { BEGINNING } from '@florin/data/outbox';
import type { WatchChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { userStream } from '@florin/rpc/server';
import { statusAt } from '../domain/challenge-state.ts';
import type { Update } from '../watching/watcher.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

/** Pending challenges of one user in a snapshot; far more than a person can decide during the lifetime of a challenge. */
const MAX_PENDING = 100;

type Beginning = { rows: Update[]; snapshot: boolean };

/**
 * The first messages of a stream. Rows of a snapshot carry the position before all events: a reader that disconnects among them and
 * resumes gets the whole snapshot again.
 */
const readBeginning = async (
  { challenges, hub, runtime }: Pick<Dependencies, 'challenges' | 'hub' | 'runtime'>,
  userId: string,
  lastEventId: string,
): Promise<Beginning> => {
  const now = runtime.now();
  const happened = hub.since(lastEventId, userId);
  if (happened === undefined) {
    const found = await challenges.page(userId, { status: 'pending', limit: MAX_PENDING, now });
    // Oldest first, in the order in which they appeared.
    return { rows: found.reverse().map((challenge) => ({ challenge, position: BEGINNING })), snapshot: true };
  }
  const found = happened.length === 0 ? [] : await challenges.findMany(happened.map(({ challengeId }) => challengeId));
  const states = new Map(
    await Promise.all(found.map(async (challenge) => [challenge.id, await challenges.exactAt(challenge, now)] as const)),
  );
  const rows = happened.flatMap(({ challengeId, position }) => {
    const challenge = states.get(challengeId);
    return challenge === undefined ? [] : [{ challenge, position }];
  });
  return { rows, snapshot: false };
};

/**
 * Streams the caller's challenges: the pending ones, or those that changed since the last event, then each new one and each change.
 * @throws CodedError STREAM_LIMIT_REACHED, SERVICE_UNAVAILABLE
 */
export const watchChallenges = ({ challenges, hub, runtime }: Dependencies) =>
  userStream(async function* ({ lastEventId }: WatchChallengesRequest, { caller: { userId }, signal }) {
    const toMessage = ({ challenge, position }: Update, now: Date) => ({
      eventId: position,
      challenge: toWireChallenge(challenge),
      serverTime: timestampFromDate(now),
    });
    // Registered before the first read, so that no change is missed in between.
    const watch = hub.watchUser(userId, signal);
    try {
      const { rows, snapshot } = await readBeginning({ challenges, hub, runtime }, userId, lastEventId);
      watch.start(rows);
      for (const row of rows) yield toMessage(row, runtime.now());
      yield { eventId: watch.position, serverTime: timestampFromDate(runtime.now()), snapshot };
      for (;;) {
        const update = await watch.next();
        if (update === undefined) return;
        const now = runtime.now();
        // A challenge that expired while its update waited for the reader is followed by its expiry.
        if (statusAt(update.challenge, now) === update.challenge.status) yield toMessage(update, now);
      }
    } finally {
      watch.close();
    }
  });
