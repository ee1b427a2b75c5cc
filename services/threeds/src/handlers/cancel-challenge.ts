import type { CancelChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

const requestSchema = z.object({ challengeId: uuidSchema });

/**
 * Cancels a pending challenge on behalf of the access control server that raised it. A cancelled challenge is returned unchanged.
 * @throws CodedError CHALLENGE_NOT_FOUND, CHALLENGE_STATE_CONFLICT, VALIDATION_FAILED
 */
export const cancelChallenge = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.writeChallenges, async (request: CancelChallengeRequest, { caller }) => {
    const { challengeId } = parseRequest(requestSchema, request);
    const owner = { callerName: caller.name };
    let challenge = await challenges.get(challengeId, runtime.now(), owner);
    if (challenge.status === 'pending') {
      const cancelled = await challenges.cancel(challenge, runtime.now());
      // Lost to a decision or a concurrent write: return what that one made of the challenge.
      challenge = cancelled ?? (await challenges.get(challengeId, runtime.now(), owner));
    }
    if (challenge.status !== 'cancelled') throw new CodedError('CHALLENGE_STATE_CONFLICT');
    return { challenge: toWireChallenge(challenge) };
  });
