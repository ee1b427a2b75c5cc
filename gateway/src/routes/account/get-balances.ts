import { defineRoute } from '../../http/define-route.ts';
import { balances, toBalances } from '../../schemas/balances.ts';

export const getBalances = defineRoute({
  operationId: 'getBalances',
  method: 'get',
  path: '/user/balances/v2',
  tag: 'User Account',
  summary: 'Get balances',
  description: "Returns one row per currency of the caller's account, including zero balances, each with its tokens.",
  policy: 'user',
  answers: { 200: balances },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const { currencies } = await upstream.balances.getBalances({}, asCaller);
    return toBalances(currencies);
  },
});
