import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

/** Returns a challenge with its status at `serverTime`. */
export const getChallenge = ({ runtime, challenges }: Dependencies) =>
  userOrServiceMethod(async ({ challengeId }: GetChallengeRequest, { caller }) => {
    const now = runtime.now();
    const challenge = await challenges.get(challengeId, now, caller.kind === 'service' ? {} : { userId: caller.userId });
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(now) };
  });
