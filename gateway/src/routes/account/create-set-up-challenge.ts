import { requireChain } from '../../clients/chain.ts';
import { defineRoute } from '../../http/define-route.ts';
import { present } from '../../schemas/fields.ts';
import { safeTypedData, toSafeTypedData } from '../../schemas/safe.ts';
import { typedDataQuery } from '../../schemas/typed-message.ts';

export const createSetUpChallenge = defineRoute({
  operationId: 'createSetUpChallenge',
  method: 'post',
  path: '/user/account/set-up/challenge',
  tag: 'User Account',
  summary: 'Create the set-up of the Safe to sign',
  description:
    "Returns EIP-712 typed data of the transaction by which the Safe becomes the account's: a key of the platform becomes the second owner, so that both must sign withdrawals, and a Delay module lets the owner alone move the money without the platform, after a cooldown. The owner's wallet signs it. It stays valid until the Safe has executed another transaction.",
  policy: 'user',
  rateLimit: 'auth',
  query: typedDataQuery,
  answers: { 200: safeTypedData },
  errors: ['ACCOUNT_NOT_FOUND', 'SAFES_NOT_AVAILABLE', 'SET_UP_NOT_AVAILABLE'],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { transaction } = await requireChain(upstream.safes).createSetUpChallenge({}, asCaller);
    return toSafeTypedData(present(transaction, 'transaction'), query.domainType === 'true');
  },
});
