import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { judgeReport, withdrawalReported } from '../domain/withdrawal.ts';
import { currentMovement } from '../journal/current-movement.ts';
import { movementAfter } from './answer-movement.ts';
import type { Dependencies } from './dependencies.ts';
import { optionalTxHash } from './fields.ts';
import { forProcesses, ownedMethod } from './owned-method.ts';
import { toWireWithdrawal } from './to-wire.ts';

const TARGETS = {
  [WithdrawalStatus.PROCESSING]: 'processing',
  [WithdrawalStatus.COMPLETED]: 'completed',
  [WithdrawalStatus.FAILED]: 'failed',
} as const;

const requestSchema = z
  .object({
    withdrawalId: uuidSchema,
    txHash: optionalTxHash,
    status: z.literal([WithdrawalStatus.PROCESSING, WithdrawalStatus.COMPLETED, WithdrawalStatus.FAILED], {
      error: 'must be PROCESSING, COMPLETED or FAILED',
    }),
  })
  .refine(({ status, txHash }) => status !== WithdrawalStatus.FAILED || txHash === '', {
    path: ['txHash'],
    message: 'must be empty with FAILED',
  });

/**
 * The state may have changed by the time the journal decides: then it is read again, and a report that is true by then succeeds.
 * @throws CodedError WITHDRAWAL_NOT_FOUND, WITHDRAWAL_STATE_CONFLICT, VALIDATION_FAILED
 */
export const updateWithdrawal = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.updateWithdrawal,
    forProcesses(LEDGER_SCOPES.writeWithdrawals),
    async (request) => {
      const { withdrawalId, status, txHash } = parseRequest(requestSchema, request);
      const accountId = await dependencies.claims.accountOf('withdrawals', withdrawalId);
      if (accountId === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      return { accountId, withdrawalId, target: TARGETS[status], txHash };
    },
    async ({ withdrawalId, target, txHash }, journal) => {
      const read = async () => {
        const withdrawal = await currentMovement(dependencies.movements, journal, 'withdrawals', withdrawalId);
        if (withdrawal === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
        return withdrawal;
      };
      const before = await read();
      const verdict = judgeReport(before.status, target);
      if (verdict === 'known') return { withdrawal: toWireWithdrawal(before) };
      if (verdict === 'conflict') throw new CodedError('WITHDRAWAL_STATE_CONFLICT');
      const outcome = await journal.appendOne(withdrawalReported(before, target, txHash));
      if (outcome.kind === 'created') return { withdrawal: toWireWithdrawal(movementAfter(before, outcome)) };
      const now = await read();
      const stands = outcome.kind === 'exists' ? outcome.same : judgeReport(now.status, target) === 'known';
      if (!stands) throw new CodedError(outcome.kind === 'refused' ? outcome.code : 'WITHDRAWAL_STATE_CONFLICT');
      return { withdrawal: toWireWithdrawal(now) };
    },
  );
