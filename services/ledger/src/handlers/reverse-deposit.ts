import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { depositReversed } from '../domain/deposit.ts';
import type { Metadata } from '../domain/metadata.ts';
import type { Movement } from '../domain/movement.ts';
import { currentMovement } from '../journal/current-movement.ts';
import type { Journal } from '../journal/journal.ts';
import { movementAfter } from './answer-movement.ts';
import type { Dependencies } from './dependencies.ts';
import { readOperatorMetadata } from './fields.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireDeposit } from './to-wire.ts';

/** A deposit changes at most twice. */
const MAX_ATTEMPTS = 4;

/**
 * Takes a deposit back. If the deposit has changed by the time the journal decides, it is read again.
 * @returns the deposit, and the id of the entry when this call wrote it
 * @throws CodedError DEPOSIT_NOT_FOUND
 */
export const reverseDepositIn = async (
  { movements }: Dependencies,
  journal: Journal,
  depositId: string,
  metadata: Metadata,
): Promise<{ deposit: Movement; entryId: string | undefined }> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const deposit = await currentMovement(movements, journal, 'deposits', depositId);
    if (deposit === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
    const intent = depositReversed(deposit, metadata);
    if (intent === undefined) return { deposit, entryId: undefined };
    const outcome = await journal.appendOne(intent);
    if (outcome.kind === 'refused') throw new CodedError(outcome.code);
    if (outcome.kind === 'created') return { deposit: movementAfter(deposit, outcome), entryId: outcome.entry.id };
  }
  throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the deposit changed all the time' });
};

/** Takes back a deposit whose transfer has vanished from the chain. */
export const reverseDeposit = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.reverseDeposit,
    serviceMethod,
    async (request) => {
      const { depositId } = request;
      const metadata = readOperatorMetadata(request.metadata);
      const accountId = await dependencies.claims.accountOf('deposits', depositId);
      if (accountId === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
      return { accountId, depositId, metadata };
    },
    async ({ depositId, metadata }, journal) => {
      const { deposit } = await reverseDepositIn(dependencies, journal, depositId, metadata);
      return { deposit: toWireDeposit(deposit) };
    },
  );
