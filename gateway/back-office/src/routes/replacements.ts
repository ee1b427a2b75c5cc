import { withinRequest } from '@florin/rpc/client';
import { CodedError, toCodedError } from '@florin/rpc/errors';
import { reasonBody } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { StoredReplacementOrder } from '../store/orders.ts';
import { action } from './act.ts';
import type { Dependencies } from './dependencies.ts';
import { decisionEndpoints, newOrder } from './orders.ts';

/** The answers with which the ledger refuses to replace an account. */
const REFUSALS = ['ACCOUNT_NOT_FOUND', 'ACCOUNT_STATE_CONFLICT', 'SAFE_OWNER_REVOKED', 'ACCOUNT_NOT_REPLACEABLE'];

/** Has the ledger replace an account, which it does once. @returns the code of its refusal */
const replaceAccount = async (
  { services }: Dependencies,
  { accountId }: StoredReplacementOrder,
  requestId: string,
): Promise<string | undefined> => {
  try {
    await services.accounts.replaceAccount({ accountId }, withinRequest({ requestId }));
    return undefined;
  } catch (thrown) {
    const { code } = toCodedError(thrown);
    if (!REFUSALS.includes(code)) throw thrown;
    return code;
  }
};

/** Orders that the person of an account whose Safe has another history gets another account. It takes two operators, because whoever holds the owner's key can give a Safe another history. */
export const replacementEndpoints = (parts: Dependencies): Endpoint[] => {
  const { services, replacementOrders, runtime } = parts;
  const access = 'chain.resolve';
  return [
    action(
      parts,
      { path: '/api/people/{userId}/replacements', access, operation: 'accounts.order-replacement', body: reasonBody },
      async (call) => {
        const { userId = '' } = call.params;
        if ((await replacementOrders.find(call.actionId)) !== null) return 'pending';
        const { account } = await services.accounts.getAccount({ key: { case: 'userId', value: userId } }, withinRequest(call));
        if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
        if (!account.safeHistoryDiffers || account.successorAccountId !== '') throw new CodedError('ACCOUNT_NOT_REPLACEABLE');
        await replacementOrders.insert({ ...newOrder(call, runtime.now()), userId, accountId: account.id });
        return 'pending';
      },
    ),
    ...decisionEndpoints(parts, {
      path: '/api/people/{userId}/replacements/{replacementOrderId}',
      access,
      approve: 'accounts.approve-replacement',
      reject: 'accounts.reject-replacement',
      store: replacementOrders,
      find: async ({ userId, replacementOrderId = '' }) => {
        const order = await replacementOrders.find(replacementOrderId);
        return order?.userId === userId ? order : null;
      },
      carryOut: (order, requestId) => replaceAccount(parts, order, requestId),
    }),
  ];
};
