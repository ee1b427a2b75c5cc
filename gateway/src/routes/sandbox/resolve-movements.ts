import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute, type RouteCall } from '../../http/define-route.ts';
import { id, present } from '../../schemas/fields.ts';
import { deposit, toDeposit, toWithdrawal, withdrawal } from '../../schemas/movements.ts';
import { OUTCOMES } from './create-deposit.ts';
import { sandboxTransactionHash } from './transaction-hash.ts';

const STATUS = { complete: WithdrawalStatus.COMPLETED, fail: WithdrawalStatus.FAILED } as const;

/** @throws CodedError with the code unless the movement is on the caller's own account */
const requireOwn = async ({ upstream, asCaller }: RouteCall<'user'>, accountId: string, code: ErrorCode): Promise<void> => {
  const account = present((await upstream.accounts.getCurrentAccount({}, asCaller)).account, 'the account');
  if (account.id !== accountId) throw new CodedError(code);
};

export const resolveDeposit = defineRoute({
  operationId: 'sandboxResolveDeposit',
  method: 'post',
  path: '/sandbox/deposits/{depositId}/resolve',
  tag: 'Sandbox',
  summary: 'Resolve a deposit',
  description: 'Ends the screening of a deposit of the caller that is pending, as a person of the program does.',
  policy: 'user',
  sandboxOnly: true,
  params: z.object({ depositId: id }),
  body: z.object({ outcome: z.enum(['approve', 'reject']) }),
  answers: { 200: deposit },
  errors: ['ACCOUNT_NOT_FOUND', 'DEPOSIT_NOT_FOUND', 'DEPOSIT_STATE_CONFLICT'],
  handler: async ({ params: { depositId }, body: { outcome } }, call) => {
    const { upstream, asGateway } = call;
    const found = await asGateway((options) => upstream.movements.getDeposit({ depositId }, options));
    await requireOwn(call, present(found.deposit, 'the deposit').accountId, 'DEPOSIT_NOT_FOUND');
    const resolved = await asGateway((options) => upstream.movements.resolveDeposit({ depositId, ...OUTCOMES[outcome] }, options));
    return toDeposit(present(resolved.deposit, 'the deposit'));
  },
});

export const resolveWithdrawal = defineRoute({
  operationId: 'sandboxResolveWithdrawal',
  method: 'post',
  path: '/sandbox/withdrawals/{withdrawalId}/resolve',
  tag: 'Sandbox',
  summary: 'Resolve a withdrawal',
  description:
    'Ends a withdrawal that the caller has made with `POST /sandbox/withdrawals` and that is pending or processing. One that was signed for a chain ends as the chain decides.',
  policy: 'user',
  sandboxOnly: true,
  params: z.object({ withdrawalId: id }),
  body: z.object({ outcome: z.enum(['complete', 'fail']) }),
  answers: { 200: withdrawal },
  errors: ['ACCOUNT_NOT_FOUND', 'WITHDRAWAL_NOT_FOUND', 'WITHDRAWAL_STATE_CONFLICT'],
  handler: async ({ params: { withdrawalId }, body: { outcome } }, call) => {
    const { upstream, asGateway } = call;
    const found = await asGateway((options) => upstream.movements.getWithdrawal({ withdrawalId }, options));
    const { accountId, txHash } = present(found.withdrawal, 'the withdrawal');
    await requireOwn(call, accountId, 'WITHDRAWAL_NOT_FOUND');
    if (txHash !== sandboxTransactionHash(withdrawalId)) throw new CodedError('WITHDRAWAL_STATE_CONFLICT');
    const ended = await asGateway((options) => upstream.movements.updateWithdrawal({ withdrawalId, status: STATUS[outcome] }, options));
    return toWithdrawal(present(ended.withdrawal, 'the withdrawal'));
  },
});
