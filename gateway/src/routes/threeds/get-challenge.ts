import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { challengeDetail, toChallengeDetail } from '../../schemas/challenge.ts';
import { id } from '../../schemas/fields.ts';

export const getChallenge = defineRoute({
  operationId: 'getChallenge',
  method: 'get',
  path: '/3ds/challenges/{challengeId}',
  tag: '3DS',
  summary: 'Get a challenge',
  description: "Returns a challenge of one of the caller's card payments. Other users' challenges are not found.",
  policy: 'user',
  params: z.object({ challengeId: id }),
  answers: { 200: challengeDetail },
  errors: ['CHALLENGE_NOT_FOUND'],
  handler: async ({ params: { challengeId } }, { upstream, asCaller }) =>
    toChallengeDetail(await upstream.challenges.getChallenge({ challengeId }, asCaller)),
});
