import { CodedError } from '@florin/kit/errors';
import { parseAmount } from '@florin/kit/money';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { CreateWithdrawalRequest } from '@florin/proto/ledger/v1/movement_service';
import { z } from 'zod';
import { findToken } from '../domain/assets.ts';
import { withdrawalCreated } from '../domain/withdrawal.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import { txHash, uuid } from './fields.ts';
import { currentMovement, type Parts, requireAccount } from './parts.ts';
import { withdrawalToWire } from './wire.ts';

const request = z.object({ withdrawalId: uuid, accountId: uuid, token: z.string(), amount: z.string(), txHash });

export const createWithdrawal = (parts: Parts) =>
  serviceMethod('ledger.withdrawals.write', async (message: CreateWithdrawalRequest) => {
    const { withdrawalId: id, accountId, token: symbol, amount: text, txHash: hash } = parseRequest(request, message);
    const token = findToken(parts.assets, symbol);
    if (token === undefined) throw new CodedError('TOKEN_NOT_SUPPORTED');
    const amount = parseAmount(text);
    const account = requireAccount(await parts.accounts.find(accountId));
    if (token.chainId !== account.chainId) throw new CodedError('TOKEN_NOT_SUPPORTED');
    const refuseNew = account.status === 'active' ? undefined : 'ACCOUNT_NOT_ACTIVE';
    const outcome = await parts.journal.append(withdrawalCreated({ id, accountId, token, amount, txHash: hash }, refuseNew));
    if (outcome.kind === 'created') return { withdrawal: withdrawalToWire(movementAfter(undefined, outcome)) };
    if (outcome.kind === 'refused') {
      // Closed between our look at its record and the journal's: to the caller the same thing.
      throw new CodedError(outcome.code === 'ACCOUNT_CLOSED' ? 'ACCOUNT_NOT_ACTIVE' : outcome.code);
    }
    if (!outcome.same) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    return { withdrawal: withdrawalToWire(mustExist(await currentMovement(parts, 'withdrawals', id))) };
  });
