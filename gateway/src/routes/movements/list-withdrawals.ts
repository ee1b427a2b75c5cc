import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { toWithdrawal, withdrawal } from '../../schemas/movements.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';

export const listWithdrawals = defineRoute({
  operationId: 'listWithdrawals',
  method: 'get',
  path: '/user/withdrawals',
  tag: 'User Movements',
  summary: 'List withdrawals',
  description: "Returns the withdrawals from the caller's account, newest first.",
  policy: 'user',
  query: pageQuery,
  answers: { 200: z.object({ data: z.array(withdrawal), pagination }) },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { withdrawals, page } = await upstream.movements.listWithdrawals({ page: toPageRequest(query) }, asCaller);
    return { data: withdrawals.map(toWithdrawal), pagination: toPagination(page) };
  },
});
