import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { tokenNotSupported } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import { formatAmount } from '@florin/rpc/money';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { id, present, tokenAmountInput, tokenInput, txHash } from '../../schemas/fields.ts';
import { sandboxTransactionHash } from './transaction-hash.ts';

/** Suffixes of the hash that select the result of the ledger's sandbox screening (RecordDepositRequest.tx_hash). */
const HASH_ENDS = { approve: '', reject: '00000bad', hold: '0000401d' } as const;

/** The resolution of a deposit by the outcome of its screening. */
export const OUTCOMES = {
  approve: { status: DepositStatus.APPROVED, kytBreakdown: { result: 'approve', riskScore: 5, riskTier: 'low' } },
  reject: { status: DepositStatus.REJECTED, kytBreakdown: { result: 'reject', riskScore: 95, riskTier: 'high' } },
} as const;

export const createDeposit = defineRoute({
  operationId: 'sandboxCreateDeposit',
  method: 'post',
  path: '/sandbox/deposits',
  tag: 'Sandbox',
  summary: 'Make a deposit',
  description:
    "Records a deposit to the caller's account, as the chain watcher does. With `CHAIN=local` the faucet pays it to the account's Safe, and `kyt` must be `approve`.",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({
    token: tokenInput,
    amount: tokenAmountInput,
    kyt: z
      .enum(['approve', 'reject', 'hold'])
      .default('approve')
      .meta({ description: 'Result of the screening; `hold` leaves the deposit pending until it is resolved' }),
  }),
  answers: { 200: z.object({ id, txHash }) },
  errors: ['ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED', 'TOKEN_NOT_SUPPORTED', 'AMOUNT_INVALID', 'DEPOSIT_STATE_CONFLICT'],
  // All steps are idempotent by the hash: if the gateway is killed in between, a retry with the same Idempotency-Key completes them.
  // The second step does not rely on the ledger's screening, which has the same result, so that the deposit is resolved when the
  // response is sent, and also with KYT=off.
  handler: async ({ body: { token, amount, kyt } }, { upstream, asCaller, asGateway, requestKey }) => {
    const account = present((await upstream.accounts.getCurrentAccount({}, asCaller)).account, 'the account');
    const { faucet } = upstream;
    if (faucet !== undefined && kyt !== 'approve')
      throw new CodedError('VALIDATION_FAILED', { message: 'kyt: must be approve, since the faucet of a chain pays the deposit' });
    const paid = async (): Promise<string | undefined> => {
      if (faucet === undefined) return undefined;
      const { currencies } = await upstream.balances.getBalances({}, asCaller);
      const rows = currencies.flatMap(({ tokens }) => tokens);
      const row = rows.find((one) => one.token === token);
      if (row === undefined) throw tokenNotSupported(rows.map((one) => one.token));
      return faucet.pay({ to: account.safeAddress, token, amount: formatAmount(BigInt(amount), row.decimals), key: requestKey });
    };
    const hash = (await paid()) ?? sandboxTransactionHash(requestKey, HASH_ENDS[kyt]);
    const transfer = { accountId: account.id, chainId: account.chainId, txHash: hash, logIndex: 0, token, amount };
    const { deposit } = await asGateway((options) => upstream.movements.recordDeposit(transfer, options));
    const { id: depositId } = present(deposit, 'deposit');
    if (kyt !== 'hold') {
      const resolution = { depositId, ...OUTCOMES[kyt] };
      await asGateway((options) => upstream.movements.resolveDeposit(resolution, options));
    }
    return { id: depositId, txHash: hash };
  },
});
