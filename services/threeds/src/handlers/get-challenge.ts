import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { loadChallenge, loadOwnChallenge } from './load-challenge.ts';
import { challengeIdSchema } from './requests.ts';
import { toWireChallenge } from './to-wire.ts';

/**
 * Answers a challenge, its status exact at `serverTime`.
 * @throws CodedError CHALLENGE_NOT_FOUND, VALIDATION_FAILED
 */
export const getChallenge = ({ runtime, challenges }: Dependencies) =>
  userOrServiceMethod(THREEDS_SCOPES.readChallenges, async (request: GetChallengeRequest, { caller }) => {
    const { challengeId } = parseRequest(challengeIdSchema, request);
    const now = runtime.now();
    const challenge =
      caller.kind === 'service'
        ? await loadChallenge(challenges, challengeId, now)
        : await loadOwnChallenge(challenges, challengeId, caller, now);
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(now) };
  });
