import type { CancelChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { loadRaisedChallenge } from './load-challenge.ts';
import { challengeIdSchema } from './requests.ts';
import { toWireChallenge } from './to-wire.ts';

/**
 * Withdraws a challenge that is pending and in time; one that is withdrawn stays as it is.
 * @throws CodedError CHALLENGE_NOT_FOUND, CHALLENGE_STATE_CONFLICT, VALIDATION_FAILED
 */
export const cancelChallenge = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.writeChallenges, async (request: CancelChallengeRequest, { caller }) => {
    const { challengeId } = parseRequest(challengeIdSchema, request);
    const found = await loadRaisedChallenge(challenges, challengeId, caller, runtime.now());
    const cancelled = found.status === 'pending' ? await challenges.cancel(found, runtime.now()) : undefined;
    // Lost against a twin or a decision, or nothing to do: what stands now decides.
    const challenge =
      cancelled ?? (found.status === 'pending' ? await loadRaisedChallenge(challenges, challengeId, caller, runtime.now()) : found);
    if (challenge.status !== 'cancelled') throw new CodedError('CHALLENGE_STATE_CONFLICT');
    return { challenge: toWireChallenge(challenge) };
  });
