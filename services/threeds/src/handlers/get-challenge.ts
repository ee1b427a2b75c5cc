import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import type { GetChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { type Dependencies, READ_SCOPE } from './dependencies.ts';
import { loadChallenge, loadOwnChallenge } from './load-challenge.ts';
import { challengeIdSchema } from './requests.ts';
import { toWireChallenge } from './to-wire.ts';

/**
 * Answers a challenge, its status exact at `serverTime`.
 * @throws CodedError CHALLENGE_NOT_FOUND, VALIDATION_FAILED
 */
export const getChallenge = ({ runtime, challenges }: Dependencies) =>
  userOrServiceMethod(READ_SCOPE, async (request: GetChallengeRequest, { caller }) => {
    const { challengeId } = parseRequest(challengeIdSchema, request);
    const now = runtime.now();
    const challenge =
      caller.kind === 'service'
        ? await loadChallenge(challenges, challengeId, now)
        : await loadOwnChallenge(challenges, challengeId, caller, now);
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(now) };
  });
