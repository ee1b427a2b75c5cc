import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { currentMovement } from '../journal/current-movement.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireWithdrawal } from './to-wire.ts';

/** Any withdrawal, for the platform's services. */
export const getWithdrawal = ({ claims, movements, shards }: Dependencies) =>
  ownedMethod(
    shards,
    MovementService.method.getWithdrawal,
    serviceMethod,
    async (request) => {
      const { withdrawalId } = request;
      const accountId = await claims.accountOf('withdrawals', withdrawalId);
      if (accountId === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      return { accountId, withdrawalId };
    },
    async ({ withdrawalId }, journal) => {
      const withdrawal = await currentMovement(movements, journal, 'withdrawals', withdrawalId);
      if (withdrawal === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
      return { withdrawal: toWireWithdrawal(withdrawal) };
    },
  );
