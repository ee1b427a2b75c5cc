import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ListChallengeChangesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { requireFields } from '@florin/rpc/contract';
import { userMethod } from '@florin/rpc/server';
import { isPosition } from '../watching/recent-events.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

/** Pending challenges of one user in a snapshot; far more than a person can decide during the lifetime of a challenge. */
const MAX_PENDING = 100;

/** Instances are milliseconds apart; one that is further behind returns a snapshot, which needs no events. */
const CATCH_UP_MS = 1000;

/**
 * Returns what a reader of the caller's challenges reads first: the changes after a position, or the pending challenges. Whoever
 * registers with a stream before this call misses nothing: a snapshot is read from the store, which is ahead of every event; changes
 * after a position are known up to `atLeast`.
 */
export const listChallengeChanges = ({ challenges, hub, runtime }: Dependencies) =>
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
    return toResponse(
      await challenges.inOrder(
        changed.map(({ challengeId }) => challengeId),
        now,
      ),
    );
  });
