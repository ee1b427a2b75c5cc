import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { WatchChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { serviceStream } from '@florin/rpc/server';
import { isTerminal, statusAt } from '../domain/challenge-state.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

/** Streams the current state of a challenge and each change; ends after a terminal state. */
export const watchChallenge = ({ runtime, challenges, hub }: Dependencies) =>
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
