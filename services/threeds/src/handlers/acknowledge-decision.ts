import type { AcknowledgeDecisionRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { type Challenge, confirmedStatus } from '../domain/challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

const requestSchema = z.object({ challengeId: uuidSchema });

const isConfirmed = ({ status, decision }: Challenge): boolean => decision !== undefined && status === confirmedStatus(decision);

/**
 * Confirms a decision on behalf of the access control server that raised the challenge. A confirmed challenge is returned unchanged.
 * @throws CodedError CHALLENGE_NOT_FOUND, CHALLENGE_STATE_CONFLICT, VALIDATION_FAILED
 */
export const acknowledgeDecision = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.writeChallenges, async (request: AcknowledgeDecisionRequest, { caller }) => {
    const { challengeId } = parseRequest(requestSchema, request);
    const owner = { callerName: caller.name };
    const found = await challenges.get(challengeId, runtime.now(), owner);
    const { status, decision } = found;
    let challenge = found;
    if (status === 'processing' && decision !== undefined) {
      const confirmed = await challenges.confirm({ ...found, decision }, runtime.now());
      // Lost to a concurrent write: return what that one made of the challenge.
      challenge = confirmed ?? (await challenges.get(challengeId, runtime.now(), owner));
    }
    if (!isConfirmed(challenge)) throw new CodedError('CHALLENGE_STATE_CONFLICT');
    return { challenge: toWireChallenge(challenge) };
  });
