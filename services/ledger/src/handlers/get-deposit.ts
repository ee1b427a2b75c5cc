import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { currentMovement } from '../journal/current-movement.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireDeposit } from './to-wire.ts';

/** Any deposit, for the platform's services. */
export const getDeposit = ({ claims, movements, shards }: Dependencies) =>
  ownedMethod(
    shards,
    MovementService.method.getDeposit,
    serviceMethod,
    async (request) => {
      const { depositId } = request;
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
