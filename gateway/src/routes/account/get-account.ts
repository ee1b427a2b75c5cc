import { defineRoute } from '../../http/define-route.ts';
import { account, toAccount } from '../../schemas/account.ts';
import { present } from '../../schemas/fields.ts';

export const getAccount = defineRoute({
  operationId: 'getAccount',
  method: 'get',
  path: '/user/account',
  tag: 'User Account',
  summary: 'Get the account',
  description: "Returns the caller's account.",
  policy: 'user',
  answers: { 200: account },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const response = await upstream.accounts.getCurrentAccount({}, asCaller);
    return toAccount(present(response.account, 'account'));
  },
});
