import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

const requestSchema = z.object({ challengeId: uuidSchema });

/**
 * Returns a challenge with its status at `serverTime`.
 * @throws CodedError CHALLENGE_NOT_FOUND, VALIDATION_FAILED
 */
export const getChallenge = ({ runtime, challenges }: Dependencies) =>
  userOrServiceMethod(THREEDS_SCOPES.readChallenges, async (request: GetChallengeRequest, { caller }) => {
    const { challengeId } = parseRequest(requestSchema, request);
    const now = runtime.now();
    const challenge = await challenges.get(challengeId, now, caller.kind === 'service' ? {} : { userId: caller.userId });
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(now) };
  });
