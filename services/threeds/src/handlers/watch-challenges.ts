import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { BEGINNING } from '@florin/data/outbox';
import type { WatchChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { userStream } from '@florin/rpc/server';
import { statusAt } from '../domain/challenge-state.ts';
import type { Update } from '../watching/watcher.ts';
import type { Dependencies } from './dependencies.ts';
import { exactAt } from './load-challenge.ts';
import { toWireChallenge } from './to-wire.ts';

/** Pending challenges of one user that a first part holds; nobody decides more in the minutes that a challenge lives. */
const MAX_PENDING = 100;

type First = { rows: Update[]; snapshot: boolean };

/**
 * What a stream begins with. Rows of a snapshot stand at the beginning of all events: who breaks off among them and resumes gets
 * all of them again.
 */
const readFirst = async ({ challenges, hub, runtime }: Dependencies, userId: string, lastEventId: string): Promise<First> => {
  const now = runtime.now();
  const exact = (found: Update['challenge']) => exactAt(challenges, found, now);
  const happened = hub.since(lastEventId, userId);
  if (happened === undefined) {
    const found = await challenges.page(userId, { status: 'pending', limit: MAX_PENDING, now });
    // Oldest first, as they would have appeared.
    return { rows: found.reverse().map((challenge) => ({ challenge, position: BEGINNING })), snapshot: true };
  }
  const found = happened.length === 0 ? [] : await challenges.findMany(happened.map(({ challengeId }) => challengeId));
  const states = new Map(await Promise.all(found.map(async (challenge) => [challenge.id, await exact(challenge)] as const)));
  const rows = happened.flatMap(({ challengeId, position }) => {
    const challenge = states.get(challengeId);
    return challenge === undefined ? [] : [{ challenge, position }];
  });
  return { rows, snapshot: false };
};

/** The caller's own challenges: the pending ones or what changed since the last event, then each appearance and change. */
export const watchChallenges = (deps: Dependencies) =>
  userStream(async function* ({ lastEventId }: WatchChallengesRequest, { caller: { userId }, signal }) {
    const { hub, runtime } = deps;
    const toMessage = ({ challenge, position }: Update, now: Date) => ({
      eventId: position,
      challenge: toWireChallenge(challenge),
      serverTime: timestampFromDate(now),
    });
    // Registered before it reads, so that no change falls in between.
    const watch = hub.watchUser(userId, signal);
    try {
      const { rows, snapshot } = await readFirst(deps, userId, lastEventId);
      watch.start(rows);
      for (const row of rows) yield toMessage(row, runtime.now());
      yield { eventId: watch.position, serverTime: timestampFromDate(runtime.now()), snapshot };
      for (;;) {
        const update = await watch.next();
        if (update === undefined) return;
        const now = runtime.now();
        // One whose time ran out while it waited for its reader is followed by its end.
        if (statusAt(update.challenge, now) === update.challenge.status) yield toMessage(update, now);
      }
    } finally {
      watch.close();
    }
  });
