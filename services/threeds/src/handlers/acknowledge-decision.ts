import type { AcknowledgeDecisionRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { type Challenge, confirmedStatus } from '../domain/challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { loadRaisedChallenge } from './load-challenge.ts';
import { challengeIdSchema } from './requests.ts';
import { toWireChallenge } from './to-wire.ts';

const isConfirmed = ({ status, decision }: Challenge): boolean => decision !== undefined && status === confirmedStatus(decision);

/**
 * The access control server's confirmation: finishes a decided challenge; one that is finished stays as it is.
 * @throws CodedError CHALLENGE_NOT_FOUND, CHALLENGE_STATE_CONFLICT, VALIDATION_FAILED
 */
export const acknowledgeDecision = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.writeChallenges, async (request: AcknowledgeDecisionRequest, { caller }) => {
    const { challengeId } = parseRequest(challengeIdSchema, request);
    const found = await loadRaisedChallenge(challenges, challengeId, caller, runtime.now());
    const { decision } = found;
    const confirmed =
      found.status === 'processing' && decision !== undefined ? await challenges.confirm({ ...found, decision }, runtime.now()) : undefined;
    // Lost against a twin, or nothing to do: what stands now decides.
    const challenge =
      confirmed ?? (found.status === 'processing' ? await loadRaisedChallenge(challenges, challengeId, caller, runtime.now()) : found);
    if (!isConfirmed(challenge)) throw new CodedError('CHALLENGE_STATE_CONFLICT');
    return { challenge: toWireChallenge(challenge) };
  });
