import { SubmittedStatus } from '@florin/proto/chain/v1/withdrawal_service';
import { z } from 'zod';
import { requireChain } from '../../clients/chain.ts';
import { defineRoute } from '../../http/define-route.ts';
import { id, signature, toWord } from '../../schemas/fields.ts';

const STATUS = {
  [SubmittedStatus.PROCESSING]: 'processing',
  [SubmittedStatus.COMPLETED]: 'completed',
  [SubmittedStatus.FAILED]: 'failed',
} as const;

export const submitWithdrawal = defineRoute({
  operationId: 'submitWithdrawal',
  method: 'post',
  path: '/user/withdrawals',
  tag: 'User Movements',
  summary: 'Withdraw',
  description:
    'Takes the signature over the typed data of `POST /user/withdrawals/challenge`: the money is set aside, the platform signs as the second owner, sends the transaction and pays for it. `completed` once the transfer is final; when it fails, the money is spendable again. A repeat changes nothing.',
  policy: 'user',
  body: z.object({ withdrawalId: id, signature }),
  answers: { 200: z.object({ id, status: z.enum(Object.values(STATUS)) }) },
  errors: [
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_NOT_ACTIVE',
    'CHAIN_HALTED',
    'INSUFFICIENT_FUNDS',
    'INVALID_SIGNATURE',
    'RECIPIENT_REJECTED',
    'SAFES_NOT_AVAILABLE',
    'WITHDRAWALS_FROZEN',
    'WITHDRAWAL_EXPIRED',
    'WITHDRAWAL_IN_PROGRESS',
    'WITHDRAWAL_LIMIT_EXCEEDED',
    'WITHDRAWAL_NOT_FOUND',
  ],
  handler: async ({ body }, { upstream, asCaller }) => {
    const { withdrawalId, status } = await requireChain(upstream.safeWithdrawals).submitWithdrawal(body, asCaller);
    return { id: withdrawalId, status: toWord(STATUS, status) };
  },
});
