import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetRaisedChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { referenceKey, referenceSchema } from './create-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

const requestSchema = z.object({
  key: z.discriminatedUnion('case', [
    z.object({ case: z.literal('challengeId'), value: uuidSchema }),
    z.object({ case: z.literal('reference'), value: referenceSchema }),
  ]),
});

/**
 * Returns a challenge that the calling service raised, by its id or by the caller's reference.
 * @throws CodedError CHALLENGE_NOT_FOUND, VALIDATION_FAILED
 */
export const getRaisedChallenge = ({ runtime, challenges, reservations }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.writeChallenges, async (request: GetRaisedChallengeRequest, { caller }) => {
    const { key } = parseRequest(requestSchema, request);
    const id = key.case === 'challengeId' ? key.value : await reservations.lookUp(referenceKey(caller.name, key.value));
    // The reference of a request that was rejected, or is still under way, names no challenge.
    if (id === undefined) throw new CodedError('CHALLENGE_NOT_FOUND');
    const now = runtime.now();
    const challenge = await challenges.get(id, now, { callerName: caller.name });
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(now) };
  });
