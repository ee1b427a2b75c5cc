import type { CancelChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

/** Cancels a pending challenge on behalf of the access control server that raised it. A cancelled challenge is returned unchanged. */
export const cancelChallenge = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(async ({ challengeId }: CancelChallengeRequest, { caller }) => {
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
