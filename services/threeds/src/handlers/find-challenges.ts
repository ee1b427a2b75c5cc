import { cutFound, findLimitSchema } from '@florin/data/paging';
import type { FindChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { referenceSchema } from './create-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireChallenge } from './to-wire.ts';

const requestSchema = z.object({ reference: referenceSchema, limit: findLimitSchema });

/**
 * Returns challenges by the references of those who raised them.
 * @throws CodedError VALIDATION_FAILED
 */
export const findChallenges = ({ runtime, challenges }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.readChallenges, async (request: FindChallengesRequest) => {
    const { reference, limit } = parseRequest(requestSchema, request);
    const now = runtime.now();
    const { rows, hasMore } = cutFound(await challenges.findByReference(reference, limit + 1), limit);
    const exact = await Promise.all(rows.map((challenge) => challenges.exactAt(challenge, now)));
    return { challenges: exact.map(toWireChallenge), hasMore };
  });
