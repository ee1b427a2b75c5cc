import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { challenge, challengeStatus, toChallenge, toWireStatus } from '../../schemas/challenge.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';

export const listChallenges = defineRoute({
  operationId: 'listChallenges',
  method: 'get',
  path: '/3ds/challenges',
  tag: '3DS',
  summary: 'List challenges',
  description:
    "Returns the caller's challenges, newest first. Use `status=pending` to recover challenges whose push notification was lost.",
  policy: 'user',
  query: pageQuery.extend({ status: challengeStatus.optional().meta({ description: 'Status at the time of the response' }) }),
  answers: { 200: z.object({ data: z.array(challenge), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const request = { status: toWireStatus(query.status), page: toPageRequest(query) };
    const { challenges, page } = await upstream.challenges.listChallenges(request, asCaller);
    return { data: challenges.map(toChallenge), pagination: toPagination(page) };
  },
});
