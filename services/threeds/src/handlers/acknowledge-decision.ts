import type { AcknowledgeDecisionRequest } from '@florin/proto/threeds/v1/challenge_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { valueHashOf } from '../domain/authentication-value.ts';
import { type Challenge, confirmedStatus } from '../domain/challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

const isConfirmed = ({ status, decision }: Challenge): boolean => decision !== undefined && status === confirmedStatus(decision);

/** Confirms a decision on behalf of the access control server that raised the challenge. A confirmed challenge is returned unchanged. */
export const acknowledgeDecision = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(async ({ challengeId, authenticationValue }: AcknowledgeDecisionRequest, { caller }) => {
    const owner = { callerName: caller.name };
    const found = await challenges.get(challengeId, runtime.now(), owner);
    const { status, decision } = found;
    let challenge = found;
    if (status === 'processing' && decision !== undefined) {
      const confirmed = await challenges.confirm(
        { ...found, decision },
        runtime.now(),
        authenticationValue === '' ? {} : { valueHash: valueHashOf(authenticationValue) },
      );
      // Lost to a concurrent write: return what that one made of the challenge.
      challenge = confirmed ?? (await challenges.get(challengeId, runtime.now(), owner));
    }
    if (!isConfirmed(challenge)) throw new CodedError('CHALLENGE_STATE_CONFLICT');
    return { challenge: toWireChallenge(challenge) };
  });
