import { CodedError } from '@florin/kit/errors';
import { uuidSchema } from '@florin/kit/fields';
import { parseAmount } from '@florin/kit/money';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { CreateWithdrawalRequest } from '@florin/proto/ledger/v1/movement_service';
import { z } from 'zod';
import { findToken } from '../domain/assets.ts';
import { withdrawalCreated } from '../domain/withdrawal.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import { currentMovement, type Dependencies, requireAccount } from './dependencies.ts';
import { txHash } from './fields.ts';
import { toWireWithdrawal } from './to-wire.ts';

const requestSchema = z.object({ withdrawalId: uuidSchema, accountId: uuidSchema, token: z.string(), amount: z.string(), txHash });

/**
 * Reserves money; the journal decides whether there is enough.
 * @throws CodedError ACCOUNT_NOT_FOUND, ACCOUNT_NOT_ACTIVE, TOKEN_NOT_SUPPORTED, AMOUNT_INVALID, INSUFFICIENT_FUNDS,
 * IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const createWithdrawal = (parts: Dependencies) =>
  serviceMethod('ledger.withdrawals.write', async (request: CreateWithdrawalRequest) => {
    const { withdrawalId: id, accountId, token: symbol, amount: text, txHash: hash } = parseRequest(requestSchema, request);
    const token = findToken(parts.assets, symbol);
    if (token === undefined) throw new CodedError('TOKEN_NOT_SUPPORTED');
    const amount = parseAmount(text);
    const account = requireAccount(await parts.accounts.find(accountId));
    if (token.chainId !== account.chainId) throw new CodedError('TOKEN_NOT_SUPPORTED');
    const refuseNew = account.status === 'active' ? undefined : 'ACCOUNT_NOT_ACTIVE';
    const outcome = await parts.journal.append(withdrawalCreated({ id, accountId, token, amount, txHash: hash }, refuseNew));
    if (outcome.kind === 'created') return { withdrawal: toWireWithdrawal(movementAfter(undefined, outcome)) };
    if (outcome.kind === 'refused') {
      // Closed between our look at its record and the journal's: to the caller the same thing.
      throw new CodedError(outcome.code === 'ACCOUNT_CLOSED' ? 'ACCOUNT_NOT_ACTIVE' : outcome.code);
    }
    if (!outcome.same) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    return { withdrawal: toWireWithdrawal(mustExist(await currentMovement(parts, 'withdrawals', id))) };
  });
