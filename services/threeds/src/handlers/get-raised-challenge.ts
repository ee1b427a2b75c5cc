import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetRaisedChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { referenceKey } from './create-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

/** Returns a challenge that the calling service raised, by its id, the caller's reference or the directory server's id. */
export const getRaisedChallenge = ({ runtime, challenges, reservations }: Dependencies) =>
  serviceMethod(async ({ key }: GetRaisedChallengeRequest, { caller }) => {
    const idOf = async (): Promise<string | undefined> => {
      if (key.case === 'reference') return reservations.lookUp(referenceKey(caller.name, key.value));
      if (key.case === 'challengeId') return key.value;
      return (await challenges.findNamed({ callerName: caller.name, dsTransactionId: stated(key.value) }))?.id;
    };
    const id = await idOf();
    // The reference of a request that was rejected, or is still under way, names no challenge.
    if (id === undefined) throw new CodedError('CHALLENGE_NOT_FOUND');
    const now = runtime.now();
    const challenge = await challenges.get(id, now, { callerName: caller.name });
    return { challenge: toWireChallenge(challenge), serverTime: timestampFromDate(now) };
  });
