import { CodedError } from '@florin/kit/errors';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import type { ResolveDepositRequest } from '@florin/proto/ledger/v1/movement_service';
import { z } from 'zod';
import { depositResolved } from '../domain/deposit.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import { uuid } from './fields.ts';
import { currentMovement, type Parts } from './parts.ts';
import { depositToWire } from './wire.ts';

const OUTCOMES = { [DepositStatus.APPROVED]: 'approved', [DepositStatus.REJECTED]: 'rejected' } as const;

const word = z.string().min(1).max(64);

const request = z.object({
  depositId: uuid,
  status: z.literal([DepositStatus.APPROVED, DepositStatus.REJECTED], { error: 'must be APPROVED or REJECTED' }),
  kytBreakdown: z.object({ result: word, riskScore: z.number().int().min(0).max(100), riskTier: word }).optional(),
});

export const resolveDeposit = (parts: Parts) =>
  serviceMethod('ledger.deposits.write', async (message: ResolveDepositRequest) => {
    const { depositId, status, kytBreakdown } = parseRequest(request, message);
    const deposit = await currentMovement(parts, 'deposits', depositId);
    if (deposit === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
    const outcome = await parts.journal.append(depositResolved(deposit, OUTCOMES[status], kytBreakdown));
    if (outcome.kind === 'refused') throw new CodedError(outcome.code);
    if (outcome.kind === 'created') return { deposit: depositToWire(movementAfter(deposit, outcome)) };
    if (!outcome.same) throw new CodedError('DEPOSIT_STATE_CONFLICT');
    return { deposit: depositToWire(mustExist(await currentMovement(parts, 'deposits', depositId))) };
  });
