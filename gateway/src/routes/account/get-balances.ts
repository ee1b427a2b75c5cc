import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { defineRoute } from '../../http/define-route.ts';
import { balances, toBalances } from '../../schemas/balances.ts';

const WITHOUT_CHAIN: readonly ErrorCode[] = ['ACCOUNT_NOT_FOUND', 'SAFES_NOT_AVAILABLE', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

/** The chain service's part: balances are readable without it. */
const orNone = async <T>(call: Promise<readonly T[]> | undefined): Promise<readonly T[]> => {
  try {
    return (await call) ?? [];
  } catch (error) {
    if (error instanceof CodedError && WITHOUT_CHAIN.includes(error.code)) return [];
    throw error;
  }
};

export const getBalances = defineRoute({
  operationId: 'getBalances',
  method: 'get',
  path: '/user/balances/v2',
  tag: 'User Account',
  summary: 'Get balances',
  description:
    "Returns one row per currency of the caller's account, including zero balances, each with its tokens. `processingDeposits` is what is being screened, and what is in blocks that are not final yet: a reorganization of the chain may take the latter away. `maxInstantWithdraw` is within what may be withdrawn in 24 hours.",
  policy: 'user',
  answers: { 200: balances },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const [{ currencies }, arriving, allowances] = await Promise.all([
      upstream.balances.getBalances({}, asCaller),
      orNone(upstream.arriving?.listArriving({}, asCaller).then(({ transfers }) => transfers)),
      orNone(upstream.safeWithdrawals?.listWithdrawalAllowances({}, asCaller).then((found) => found.allowances)),
    ]);
    return toBalances(currencies, { arriving, allowances });
  },
});
