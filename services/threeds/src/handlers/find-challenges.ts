import { cutFound, findLimitOf } from '@florin/data/paging';
import type { FindChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

/** Returns challenges by the references of those who raised them. */
export const findChallenges = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(async (request: FindChallengesRequest) => {
    const limit = findLimitOf(request);
    const now = runtime.now();
    const { rows, hasMore } = cutFound(await challenges.findByReference(request.reference, limit + 1), limit);
    const exact = await Promise.all(rows.map((challenge) => challenges.exactAt(challenge, now)));
    return { challenges: exact.map(toWireChallenge), hasMore };
  });
