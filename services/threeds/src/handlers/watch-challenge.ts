import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { WatchChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { parseRequest, serviceStream } from '@florin/rpc/server';
import { isTerminal, statusAt } from '../domain/challenge-state.ts';
import type { Dependencies } from './dependencies.ts';
import { loadChallenge } from './load-challenge.ts';
import { challengeIdSchema } from './requests.ts';
import { toWireChallenge } from './to-wire.ts';

/** The state of a challenge now and each change; ends after a terminal state. */
export const watchChallenge = ({ runtime, challenges, hub }: Dependencies) =>
  serviceStream(THREEDS_SCOPES.readChallenges, async function* (request: WatchChallengeRequest, { signal }) {
    const { challengeId } = parseRequest(challengeIdSchema, request);
    // Registered before it reads, so that no change falls in between.
    const watch = hub.watchChallenge(challengeId, signal);
    try {
      let challenge = await loadChallenge(challenges, challengeId, runtime.now());
      watch.start([{ challenge, position: watch.position }]);
      for (;;) {
        const now = runtime.now();
        // One whose time ran out while it waited for its reader is followed by its end.
        if (statusAt(challenge, now) === challenge.status) {
          yield { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(now) };
        }
        if (isTerminal(challenge.status)) return;
        const update = await watch.next();
        if (update === undefined) return;
        ({ challenge } = update);
      }
    } finally {
      watch.close();
    }
  });
