import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { id, present, tokenAmountInput, tokenInput, txHash } from '../../schemas/fields.ts';
import { sandboxTransactionHash } from './transaction-hash.ts';

const STEPS = {
  complete: [WithdrawalStatus.PROCESSING, WithdrawalStatus.COMPLETED],
  fail: [WithdrawalStatus.PROCESSING, WithdrawalStatus.FAILED],
  process: [WithdrawalStatus.PROCESSING],
  hold: [],
} as const;

export const createWithdrawal = defineRoute({
  operationId: 'sandboxCreateWithdrawal',
  method: 'post',
  path: '/sandbox/withdrawals',
  tag: 'Sandbox',
  summary: 'Make a withdrawal',
  description: "Makes a withdrawal from the caller's account and moves it to the chosen outcome.",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({
    token: tokenInput,
    amount: tokenAmountInput,
    outcome: z
      .enum(['complete', 'fail', 'process', 'hold'])
      .default('complete')
      .meta({ description: 'Outcome of the withdrawal; `process` leaves it `processing`, `hold` leaves it `pending`' }),
  }),
  answers: { 200: z.object({ id, txHash }) },
  errors: [
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_NOT_ACTIVE',
    'TOKEN_NOT_SUPPORTED',
    'AMOUNT_INVALID',
    'CHAIN_HALTED',
    'INSUFFICIENT_FUNDS',
    'WITHDRAWAL_STATE_CONFLICT',
  ],
  // Every step is idempotent by the withdrawal's id: if the gateway is killed in between, a retry with the same Idempotency-Key
  // completes them.
  handler: async ({ body: { token, amount, outcome } }, { upstream, asCaller, asGateway, requestKey }) => {
    const account = present((await upstream.accounts.getCurrentAccount({}, asCaller)).account, 'the account');
    const hash = sandboxTransactionHash(requestKey);
    const withdrawal = { withdrawalId: requestKey, accountId: account.id, token, amount, txHash: hash };
    await asGateway((options) => upstream.movements.createWithdrawal(withdrawal, options));
    for (const status of STEPS[outcome]) {
      await asGateway((options) => upstream.movements.updateWithdrawal({ withdrawalId: requestKey, status }, options));
    }
    return { id: requestKey, txHash: hash };
  },
});
