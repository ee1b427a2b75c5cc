import { CodedError } from '@florin/kit/errors';
import { parseAmount } from '@florin/kit/money';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { RecordDepositRequest } from '@florin/proto/ledger/v1/movement_service';
import { z } from 'zod';
import { findToken } from '../domain/assets.ts';
import { depositIdOf, depositSeen } from '../domain/deposit.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import { txHash, uuid } from './fields.ts';
import { currentMovement, type Parts, requireAccount } from './parts.ts';
import { depositToWire } from './wire.ts';

const request = z.object({ accountId: uuid, chainId: z.number(), txHash, logIndex: z.number(), token: z.string(), amount: z.string() });

/** Whether the account is closed is not asked here but by the journal, where a deposit and a close have an order. */
export const recordDeposit = (parts: Parts) =>
  serviceMethod('ledger.deposits.write', async (message: RecordDepositRequest) => {
    const { accountId, token: symbol, amount: text, ...event } = parseRequest(request, message);
    const token = findToken(parts.assets, symbol, event.chainId);
    if (token === undefined) throw new CodedError('TOKEN_NOT_SUPPORTED');
    const amount = parseAmount(text);
    requireAccount(await parts.accounts.find(accountId));
    const outcome = await parts.journal.append(depositSeen(event, accountId, token, amount));
    if (outcome.kind === 'refused') throw new CodedError(outcome.code);
    if (outcome.kind === 'created') return { deposit: depositToWire(movementAfter(undefined, outcome)) };
    if (!outcome.same) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    return { deposit: depositToWire(mustExist(await currentMovement(parts, 'deposits', depositIdOf(event)))) };
  });
