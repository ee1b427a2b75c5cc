import { MovementService, type RecordDepositRequest } from '@florin/proto/ledger/v1/movement_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseAmount } from '@florin/rpc/money';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { findToken } from '../domain/assets.ts';
import { depositIdOf, depositSeen } from '../domain/deposit.ts';
import { currentMovement } from '../journal/current-movement.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { txHash } from './fields.ts';
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
 * Whether the account is closed is decided by the journal, where a deposit and a close have an order.
 * @throws CodedError ACCOUNT_NOT_FOUND, ACCOUNT_CLOSED, TOKEN_NOT_SUPPORTED, AMOUNT_INVALID, IDEMPOTENCY_KEY_REUSED,
 * VALIDATION_FAILED
 */
export const recordDeposit = (parts: Dependencies) =>
  serviceMethod('ledger.deposits.write', async (request: RecordDepositRequest, call) => {
    const { accountId, token: symbol, amount: text, ...event } = parseRequest(requestSchema, request);
    const token = findToken(parts.assets, symbol, event.chainId);
    if (token === undefined) throw new CodedError('TOKEN_NOT_SUPPORTED');
    const amount = parseAmount(text);
    return parts.shards.atOwner(accountId, { rpc: MovementService.method.recordDeposit, request, call }, async (journal) => {
      requireAccount(await parts.accounts.find(accountId));
      const id = depositIdOf(event);
      if ((await parts.claims.claim('deposits', id, accountId)) !== accountId) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      const outcome = await journal.appendOne(depositSeen(event, accountId, token, amount));
      if (outcome.kind === 'refused') {
        // A closed account stays closed: no repeat can bring the deposit in there, and the event may be booked for another account.
        if (outcome.code === 'ACCOUNT_CLOSED') await parts.claims.release('deposits', id, accountId);
        throw new CodedError(outcome.code);
      }
      if (outcome.kind === 'created') {
        parts.screenSoon(accountId);
        return { deposit: toWireDeposit(movementAfter(undefined, outcome)) };
      }
      if (!outcome.same) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return { deposit: toWireDeposit(mustExist(await currentMovement(parts.movements, journal, 'deposits', id))) };
    });
  });
