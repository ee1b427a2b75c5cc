import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { MovementService, type ResolveDepositRequest } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { depositResolved } from '../domain/deposit.ts';
import { currentMovement } from '../journal/current-movement.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema, operatorMetadataSchema } from './fields.ts';
import { forProcesses, ownedMethod } from './owned-method.ts';
import { toWireDeposit } from './to-wire.ts';

const OUTCOMES = { [DepositStatus.APPROVED]: 'approved', [DepositStatus.REJECTED]: 'rejected' } as const;

const word = z.string().min(1).max(64);

const decision = {
  depositId: uuidSchema,
  status: z.literal([DepositStatus.APPROVED, DepositStatus.REJECTED], { error: 'must be APPROVED or REJECTED' }),
};
const screenedSchema = z.object({
  ...decision,
  kytBreakdown: z.object({ result: word, riskScore: z.number().int().min(0).max(100), riskTier: word }),
  metadata: metadataSchema,
});
/** Without what a screening found, a person has decided. */
const decidedSchema = z.object({ ...decision, metadata: operatorMetadataSchema });

const read = (request: ResolveDepositRequest) =>
  request.kytBreakdown === undefined
    ? { ...parseRequest(decidedSchema, request), kytBreakdown: undefined }
    : parseRequest(screenedSchema, request);

/**
 * Ends the screening of a deposit; of two outcomes that race the journal takes one.
 * @throws CodedError DEPOSIT_NOT_FOUND, DEPOSIT_STATE_CONFLICT, VALIDATION_FAILED
 */
export const resolveDeposit = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.resolveDeposit,
    forProcesses(LEDGER_SCOPES.resolveDeposits),
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
      const outcome = await journal.appendOne(depositResolved(deposit, OUTCOMES[status], kytBreakdown, metadata));
      if (outcome.kind === 'refused') throw new CodedError(outcome.code);
      if (outcome.kind === 'created') return { deposit: toWireDeposit(movementAfter(deposit, outcome)) };
      if (!outcome.same) throw new CodedError('DEPOSIT_STATE_CONFLICT');
      return { deposit: toWireDeposit(mustExist(await currentMovement(movements, journal, 'deposits', depositId))) };
    },
  );
