import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { findToken } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseAmount } from '@florin/rpc/money';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { withdrawalCreated } from '../domain/withdrawal.ts';
import { currentMovement } from '../journal/current-movement.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { metadataSchema, optionalAddress, optionalTxHash } from './fields.ts';
import { forProcesses, ownedMethod } from './owned-method.ts';
import { toWireWithdrawal } from './to-wire.ts';

const requestSchema = z.object({
  withdrawalId: uuidSchema,
  accountId: uuidSchema,
  token: z.string(),
  amount: z.string(),
  txHash: optionalTxHash,
  toAddress: optionalAddress,
  forced: z.boolean(),
  metadata: metadataSchema,
});

/**
 * Reserves money; the journal decides whether there is enough.
 * @throws CodedError ACCOUNT_NOT_FOUND, ACCOUNT_NOT_ACTIVE, TOKEN_NOT_SUPPORTED, AMOUNT_INVALID, INSUFFICIENT_FUNDS,
 * IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const createWithdrawal = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.createWithdrawal,
    forProcesses(LEDGER_SCOPES.writeWithdrawals),
    (request) => {
      const { token: symbol, amount, ...rest } = parseRequest(requestSchema, request);
      const token = findToken(dependencies.assets, symbol);
      if (token === undefined) throw new CodedError('TOKEN_NOT_SUPPORTED');
      return { token, amount: parseAmount(amount), ...rest };
    },
    async ({ withdrawalId: id, accountId, token, toAddress: to, ...rest }, journal) => {
      const { accounts, claims, movements } = dependencies;
      const account = requireAccount(await accounts.find(accountId));
      if (token.chainId !== account.chainId) throw new CodedError('TOKEN_NOT_SUPPORTED');
      if ((await claims.claim('withdrawals', id, accountId)) !== accountId) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      const outcome = await journal.appendOne(withdrawalCreated({ id, accountId, token, to, ...rest }));
      if (outcome.kind === 'created') return { withdrawal: toWireWithdrawal(movementAfter(undefined, outcome)) };
      if (outcome.kind === 'refused') {
        // Blocked or closed: to the caller the same thing.
        const inactive = outcome.code === 'ACCOUNT_CLOSED' || outcome.code === 'ACCOUNT_BLOCKED';
        throw new CodedError(inactive ? 'ACCOUNT_NOT_ACTIVE' : outcome.code);
      }
      if (!outcome.same) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return { withdrawal: toWireWithdrawal(mustExist(await currentMovement(movements, journal, 'withdrawals', id))) };
    },
  );
