import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { findToken } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseAmount } from '@florin/rpc/money';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { depositIdOf, depositSeen } from '../domain/deposit.ts';
import { currentMovement } from '../journal/current-movement.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { txHash } from './fields.ts';
import { forProcesses, ownedMethod } from './owned-method.ts';
import { toWireDeposit } from './to-wire.ts';

const requestSchema = z.object({
  accountId: uuidSchema,
  chainId: z.number(),
  txHash,
  logIndex: z.number(),
  token: z.string(),
  amount: z.string(),
});

/**
 * Reports whether the account is closed is decided by the journal, where a deposit and a close have an order.
 * @throws CodedError ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED, TOKEN_NOT_SUPPORTED, AMOUNT_INVALID, IDEMPOTENCY_KEY_REUSED,
 * VALIDATION_FAILED
 */
export const recordDeposit = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.recordDeposit,
    forProcesses(LEDGER_SCOPES.writeDeposits),
    (request) => {
      const { accountId, token: symbol, amount: text, ...event } = parseRequest(requestSchema, request);
      const token = findToken(dependencies.assets, symbol, event.chainId);
      if (token === undefined) throw new CodedError('TOKEN_NOT_SUPPORTED');
      return { accountId, token, amount: parseAmount(text), event };
    },
    async ({ accountId, token, amount, event }, journal) => {
      const { accounts, claims, movements, screenSoon } = dependencies;
      requireAccount(await accounts.find(accountId));
      const id = depositIdOf(event);
      if ((await claims.claim('deposits', id, accountId)) !== accountId) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      const outcome = await journal.appendOne(depositSeen(event, accountId, token, amount));
      if (outcome.kind === 'refused') {
        // A closed account stays closed: no repeat can bring the deposit in there, and the event may be booked for another account.
        if (outcome.code === 'ACCOUNT_CLOSED') await claims.release('deposits', id, accountId);
        throw new CodedError(outcome.code);
      }
      if (outcome.kind === 'created') {
        screenSoon(accountId);
        return { deposit: toWireDeposit(movementAfter(undefined, outcome)) };
      }
      if (!outcome.same) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return { deposit: toWireDeposit(mustExist(await currentMovement(movements, journal, 'deposits', id))) };
    },
  );
