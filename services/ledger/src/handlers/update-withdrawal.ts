import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { requireFields, stated } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { judgeReport, withdrawalReported } from '../domain/withdrawal.ts';
import { currentMovement } from '../journal/current-movement.ts';
import { movementAfter } from './answer-movement.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireWithdrawal } from './to-wire.ts';

const TARGETS: Readonly<Partial<Record<WithdrawalStatus, 'processing' | 'completed' | 'failed'>>> = {
  [WithdrawalStatus.PROCESSING]: 'processing',
  [WithdrawalStatus.COMPLETED]: 'completed',
  [WithdrawalStatus.FAILED]: 'failed',
};

/** The state may have changed by the time the journal decides: then it is read again, and a report that is true by then succeeds. */
export const updateWithdrawal = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.updateWithdrawal,
    serviceMethod,
    async (request) => {
      const { withdrawalId, txHash } = request;
      const target = stated(TARGETS[request.status]);
      requireFields({ tx_hash: target === 'failed' && txHash !== '' ? 'must be empty with FAILED' : undefined });
      const accountId = await dependencies.claims.accountOf('withdrawals', withdrawalId);
      if (accountId === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      return { accountId, withdrawalId, target, txHash };
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
