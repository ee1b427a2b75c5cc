import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { currentMovement } from '../journal/current-movement.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';
import { toWireWithdrawal } from './to-wire.ts';

const requestSchema = z.object({ withdrawalId: uuidSchema });

/**
 * Any withdrawal, for the platform's services.
 * @throws CodedError WITHDRAWAL_NOT_FOUND, VALIDATION_FAILED
 */
export const getWithdrawal = ({ claims, movements, shards }: Dependencies) =>
  ownedMethod(
    shards,
    MovementService.method.getWithdrawal,
    withScope(LEDGER_SCOPES.readWithdrawals),
    async (request) => {
      const { withdrawalId } = parseRequest(requestSchema, request);
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
