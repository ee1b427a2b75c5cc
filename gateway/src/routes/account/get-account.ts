import type { CallOptions } from '@connectrpc/connect';
import type { Safe } from '@florin/proto/chain/v1/safe';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute } from '../../http/define-route.ts';
import { account, toAccount } from '../../schemas/account.ts';
import { present } from '../../schemas/fields.ts';

const WITHOUT_SAFE: readonly ErrorCode[] = ['SAFES_NOT_AVAILABLE', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

/** The Safe on chain: an account is readable without it. */
const safeOf = async ({ safes }: Upstream, asCaller: CallOptions): Promise<Safe | undefined> => {
  try {
    return (await safes?.getCurrentSafe({}, asCaller))?.safe;
  } catch (error) {
    if (error instanceof CodedError && WITHOUT_SAFE.includes(error.code)) return undefined;
    throw error;
  }
};

export const getAccount = defineRoute({
  operationId: 'getAccount',
  method: 'get',
  path: '/user/account',
  tag: 'User Account',
  summary: 'Get the account',
  description:
    "Returns the caller's account. `deployment` shows the Safe on its chain; it is absent where the platform deploys no Safes, and while the chain service cannot be reached.",
  policy: 'user',
  answers: { 200: account },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const response = await upstream.accounts.getCurrentAccount({}, asCaller);
    return toAccount(present(response.account, 'account'), await safeOf(upstream, asCaller));
  },
});
