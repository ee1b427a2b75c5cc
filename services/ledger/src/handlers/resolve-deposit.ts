import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { MovementService, type ResolveDepositRequest } from '@florin/proto/ledger/v1/movement_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { depositResolved } from '../domain/deposit.ts';
import { currentMovement } from '../journal/current-movement.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import type { Dependencies } from './dependencies.ts';
import { readMetadata, readOperatorMetadata } from './fields.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireDeposit } from './to-wire.ts';

const toOutcome = (status: DepositStatus): 'approved' | 'rejected' => (status === DepositStatus.APPROVED ? 'approved' : 'rejected');

/** The decision of a request. Without what a screening found, a person has decided. */
const read = ({ depositId, status, kytBreakdown, metadata }: ResolveDepositRequest) => {
  if (kytBreakdown === undefined) return { depositId, status, kytBreakdown, metadata: readOperatorMetadata(metadata) };
  const { result, riskScore, riskTier } = kytBreakdown;
  return { depositId, status, kytBreakdown: { result, riskScore, riskTier }, metadata: readMetadata(metadata) };
};

/** Ends the screening of a deposit; of two outcomes that race the journal takes one. */
export const resolveDeposit = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.resolveDeposit,
    serviceMethod,
    async (request) => {
      const resolution = read(request);
      const accountId = await dependencies.claims.accountOf('deposits', resolution.depositId);
      if (accountId === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
      return { accountId, ...resolution };
    },
    async ({ depositId, status, kytBreakdown, metadata }, journal) => {
      const { movements } = dependencies;
      const deposit = await currentMovement(movements, journal, 'deposits', depositId);
      if (deposit === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
      const outcome = await journal.appendOne(depositResolved(deposit, toOutcome(status), kytBreakdown, metadata));
      if (outcome.kind === 'refused') throw new CodedError(outcome.code);
      if (outcome.kind === 'created') return { deposit: toWireDeposit(movementAfter(deposit, outcome)) };
      if (!outcome.same) throw new CodedError('DEPOSIT_STATE_CONFLICT');
      return { deposit: toWireDeposit(mustExist(await currentMovement(movements, journal, 'deposits', depositId))) };
    },
  );
