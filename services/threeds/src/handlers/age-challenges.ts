import type { AgeChallengesRequest } from '@florin/proto/threeds/v1/sandbox_service';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const MAX_SECONDS = 366 * 86_400;

/** Pending challenges of one user that are made older at once. */
const MAX_CHALLENGES = 1000;

const requestSchema = z.object({ seconds: z.number().int().min(1).max(MAX_SECONDS) });

/** Makes the caller's challenges older, and expires what has expired by then. */
export const ageChallenges = ({ challenges, consumptions, runtime }: Dependencies) =>
  userMethod(async (request: AgeChallengesRequest, { caller: { userId } }) => {
    const { seconds } = parseRequest(requestSchema, request);
    const now = runtime.now();
    await consumptions.age(userId, seconds);
    for (const challenge of await challenges.page(userId, { limit: MAX_CHALLENGES, status: 'pending', now })) {
      const aged = await challenges.age(challenge, seconds, now);
      // Without a result it was decided meanwhile.
      if (aged !== undefined) await challenges.exactAt(aged, now);
    }
    return {};
  });
