import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { WatchRaisedChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { serviceStream } from '@florin/rpc/server';
import { LRUCache } from 'lru-cache';
import { progressOf } from '../domain/challenge-state.ts';
import { readChanges } from '../watching/read-changes.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

/** Challenges whose last sent state is remembered per stream, so that no state is repeated. */
const MAX_SENT = 10_000;

/** Streams the changes of the challenges that the calling service raised, and the position at intervals. */
export const watchRaisedChallenges = ({ challenges, hub, runtime }: Dependencies) =>
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
