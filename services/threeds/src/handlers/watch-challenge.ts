import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { WatchChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceStream } from '@florin/rpc/server';
import { z } from 'zod';
import { isTerminal, statusAt } from '../domain/challenge-state.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

const requestSchema = z.object({ challengeId: uuidSchema });

/**
 * Streams the current state of a challenge and each change; ends after a terminal state.
 * @throws CodedError CHALLENGE_NOT_FOUND, SERVICE_UNAVAILABLE, VALIDATION_FAILED
 */
export const watchChallenge = ({ runtime, challenges, hub }: Dependencies) =>
  serviceStream(THREEDS_SCOPES.readChallenges, async function* (request: WatchChallengeRequest, { signal }) {
    const { challengeId } = parseRequest(requestSchema, request);
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
