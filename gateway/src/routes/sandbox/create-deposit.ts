import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { present, tokenAmountInput, tokenInput, txHash } from '../../schemas/fields.ts';
import { sandboxTransactionHash } from './transaction-hash.ts';

/** How the hash must end for the ledger's sandbox screening to say the same (RecordDepositRequest.tx_hash). */
const HASH_ENDS = { approve: '', reject: '00000bad', hold: '0000401d' } as const;

const OUTCOMES = {
  approve: { status: DepositStatus.APPROVED, kytBreakdown: { result: 'approve', riskScore: 5, riskTier: 'low' } },
  reject: { status: DepositStatus.REJECTED, kytBreakdown: { result: 'reject', riskScore: 95, riskTier: 'high' } },
} as const;

export const createDeposit = defineRoute({
  operationId: 'sandboxCreateDeposit',
  method: 'post',
  path: '/sandbox/deposits',
  tag: 'Sandbox',
  summary: "A deposit to the caller's account, as the chain watcher reports it",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({
    token: tokenInput,
    amount: tokenAmountInput,
    kyt: z.enum(['approve', 'reject', 'hold']).default('approve').meta({ description: 'What screening says; `hold` leaves it pending' }),
  }),
  answers: { 200: z.object({ txHash }) },
  errors: ['ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED', 'TOKEN_NOT_SUPPORTED', 'AMOUNT_INVALID', 'DEPOSIT_STATE_CONFLICT'],
  // Both steps are idempotent by the hash: killed in between, the retry with the same Idempotency-Key goes on. The second is not left
  // to the ledger's screening, which says the same, so that the deposit is decided when this answers, and also with KYT=off.
  handler: async ({ body: { token, amount, kyt } }, { upstream, asCaller, asGateway, requestKey }) => {
    const account = present((await upstream.accounts.getCurrentAccount({}, asCaller)).account, 'the account');
    const hash = sandboxTransactionHash(requestKey, HASH_ENDS[kyt]);
    const transfer = { accountId: account.id, chainId: account.chainId, txHash: hash, logIndex: 0, token, amount };
    const { deposit } = await upstream.movements.recordDeposit(transfer, asGateway);
    if (kyt !== 'hold') {
      await upstream.movements.resolveDeposit({ depositId: present(deposit, 'the deposit').id, ...OUTCOMES[kyt] }, asGateway);
    }
    return { txHash: hash };
  },
});
