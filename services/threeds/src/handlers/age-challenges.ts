import type { AgeChallengesRequest } from '@florin/proto/threeds/v1/sandbox_service';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Pending challenges of one user that are made older at once. */
const MAX_CHALLENGES = 1000;

/** Makes the caller's challenges older, and expires what has expired by then. */
export const ageChallenges = ({ challenges, consumptions, runtime }: Dependencies) =>
  userMethod(async ({ seconds }: AgeChallengesRequest, { caller: { userId } }) => {
    const now = runtime.now();
    await consumptions.age(userId, seconds);
    for (const challenge of await challenges.page(userId, { limit: MAX_CHALLENGES, status: 'pending', now })) {
      const aged = await challenges.age(challenge, seconds, now);
      // Without a result it was decided meanwhile.
      if (aged !== undefined) await challenges.exactAt(aged, now);
    }
    return {};
  });
