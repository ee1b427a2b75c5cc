import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { deposit, toDeposit } from '../../schemas/movements.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';

export const listDeposits = defineRoute({
  operationId: 'listDeposits',
  method: 'get',
  path: '/user/deposits',
  tag: 'User Movements',
  summary: 'List deposits',
  description: "Returns the deposits to the caller's account, newest first.",
  policy: 'user',
  query: pageQuery,
  answers: { 200: z.object({ data: z.array(deposit), pagination }) },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { deposits, page } = await upstream.movements.listDeposits({ page: toPageRequest(query) }, asCaller);
    return { data: deposits.map(toDeposit), pagination: toPagination(page) };
  },
});
