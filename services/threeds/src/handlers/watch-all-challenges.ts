import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { WatchAllChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { serviceStream } from '@florin/rpc/server';
import { readChanges } from '../watching/read-changes.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

/** Streams the changes of all challenges, and the position at intervals. */
export const watchAllChallenges = ({ challenges, hub, runtime }: Dependencies) =>
  serviceStream(async function* ({ lastEventId }: WatchAllChallengesRequest, { signal }) {
    for await (const { position, challenge, gap } of readChanges({ challenges, hub, runtime }, lastEventId, signal)) {
      const mark = { eventId: position, serverTime: timestampFromDate(runtime.now()) };
      yield challenge === undefined
        ? { ...mark, gap: gap === true }
        : { ...mark, challenge: toWireChallenge(challenge), userId: challenge.userId };
    }
  });
