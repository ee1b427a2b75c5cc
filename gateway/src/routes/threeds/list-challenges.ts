import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { challenge, challengeStatus, toChallenge, toWireStatus } from '../../schemas/challenge.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';

export const listChallenges = defineRoute({
  operationId: 'listChallenges',
  method: 'get',
  path: '/3ds/challenges',
  tag: '3DS',
  summary: "The caller's challenges, newest first",
  description: 'With `status=pending` what waits for a decision, so that a lost push does not lose a payment.',
  policy: 'user',
  query: pageQuery.extend({ status: challengeStatus.optional().meta({ description: 'The status at the time of the answer' }) }),
  answers: { 200: z.object({ data: z.array(challenge), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const request = { status: toWireStatus(query.status), page: toPageRequest(query) };
    const { challenges, page } = await upstream.challenges.listChallenges(request, asCaller);
    return { data: challenges.map(toChallenge), pagination: toPagination(page) };
  },
});
