import { z } from 'zod';
import { requireChain } from '../../clients/chain.ts';
import { defineRoute } from '../../http/define-route.ts';
import { addressInput, dateTime, id, present, toIso, tokenAmountInput, tokenInput } from '../../schemas/fields.ts';
import { safeTypedData, toSafeTypedData } from '../../schemas/safe.ts';
import { typedDataQuery } from '../../schemas/typed-message.ts';

export const createWithdrawalChallenge = defineRoute({
  operationId: 'createWithdrawalChallenge',
  method: 'post',
  path: '/user/withdrawals/challenge',
  tag: 'User Movements',
  summary: 'Create a withdrawal to sign',
  description:
    "Returns EIP-712 typed data of the Safe's transaction that moves the money, for the owner's wallet to sign within ten minutes. It sets nothing aside. A Safe carries out one withdrawal after the other. The first request for an address makes it known, and is rejected with `RECIPIENT_COOLING` where new recipients have to wait.",
  policy: 'user',
  query: typedDataQuery,
  body: z.object({
    token: tokenInput,
    amount: tokenAmountInput,
    to: addressInput.meta({ description: 'EVM address that receives the money' }),
  }),
  answers: {
    200: z.object({
      withdrawalId: id,
      expiresAt: dateTime.meta({ description: 'When the signature is no longer accepted' }),
      typedData: safeTypedData,
    }),
  },
  errors: [
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_NOT_ACTIVE',
    'AMOUNT_INVALID',
    'CHAIN_HALTED',
    'INSUFFICIENT_FUNDS',
    'RECIPIENT_COOLING',
    'SAFE_NOT_VERIFIED',
    'SAFES_NOT_AVAILABLE',
    'TOKEN_NOT_SUPPORTED',
    'WITHDRAWAL_IN_PROGRESS',
    'WITHDRAWAL_LIMIT_EXCEEDED',
  ],
  handler: async ({ query, body: { token, amount, to: recipient } }, { upstream, asCaller }) => {
    const made = await requireChain(upstream.safeWithdrawals).createWithdrawalChallenge({ token, amount, recipient }, asCaller);
    return {
      withdrawalId: made.withdrawalId,
      expiresAt: toIso(made.expiresAt),
      typedData: toSafeTypedData(present(made.transaction, 'transaction'), query.domainType === 'true'),
    };
  },
});
