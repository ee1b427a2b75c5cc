import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { present, tokenAmountInput, tokenInput, txHash } from '../../schemas/fields.ts';
import { sandboxTransactionHash } from './transaction-hash.ts';

const STEPS = {
  complete: [WithdrawalStatus.PROCESSING, WithdrawalStatus.COMPLETED],
  fail: [WithdrawalStatus.PROCESSING, WithdrawalStatus.FAILED],
  hold: [],
} as const;

export const createWithdrawal = defineRoute({
  operationId: 'sandboxCreateWithdrawal',
  method: 'post',
  path: '/sandbox/withdrawals',
  tag: 'Sandbox',
  summary: "A withdrawal from the caller's account",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({
    token: tokenInput,
    amount: tokenAmountInput,
    outcome: z.enum(['complete', 'fail', 'hold']).default('complete').meta({ description: 'How it ends; `hold` leaves it pending' }),
  }),
  answers: { 200: z.object({ txHash }) },
  errors: [
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_NOT_ACTIVE',
    'TOKEN_NOT_SUPPORTED',
    'AMOUNT_INVALID',
    'INSUFFICIENT_FUNDS',
    'WITHDRAWAL_STATE_CONFLICT',
  ],
  // Every step is idempotent by the withdrawal's id: killed in between, the retry with the same Idempotency-Key goes on.
  handler: async ({ body: { token, amount, outcome } }, { upstream, asCaller, asGateway, requestKey }) => {
    const account = present((await upstream.accounts.getCurrentAccount({}, asCaller)).account, 'the account');
    const hash = sandboxTransactionHash(requestKey);
    const withdrawal = { withdrawalId: requestKey, accountId: account.id, token, amount, txHash: hash };
    await upstream.movements.createWithdrawal(withdrawal, asGateway);
    for (const status of STEPS[outcome]) await upstream.movements.updateWithdrawal({ withdrawalId: requestKey, status }, asGateway);
    return { txHash: hash };
  },
});
