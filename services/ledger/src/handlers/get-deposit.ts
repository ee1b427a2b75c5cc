import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { currentMovement } from '../journal/current-movement.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';
import { toWireDeposit } from './to-wire.ts';

const requestSchema = z.object({ depositId: uuidSchema });

/**
 * Any deposit, for the platform's services.
 * @throws CodedError DEPOSIT_NOT_FOUND, VALIDATION_FAILED
 */
export const getDeposit = ({ claims, movements, shards }: Dependencies) =>
  ownedMethod(
    shards,
    MovementService.method.getDeposit,
    withScope(LEDGER_SCOPES.readDeposits),
    async (request) => {
      const { depositId } = parseRequest(requestSchema, request);
      const accountId = await claims.accountOf('deposits', depositId);
      if (accountId === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
      return { accountId, depositId };
    },
    async ({ depositId }, journal) => {
      const deposit = await currentMovement(movements, journal, 'deposits', depositId);
      if (deposit === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
      return { deposit: toWireDeposit(deposit) };
    },
  );
