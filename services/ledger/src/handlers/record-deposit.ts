import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { findToken } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import { parseAmount } from '@florin/rpc/money';
import { serviceMethod } from '@florin/rpc/server';
import { depositIdOf, depositSeen } from '../domain/deposit.ts';
import { currentMovement } from '../journal/current-movement.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { readAddress } from './fields.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireDeposit } from './to-wire.ts';

/** Reports whether the account is closed is decided by the journal, where a deposit and a close have an order. */
export const recordDeposit = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.recordDeposit,
    serviceMethod,
    (request) => {
      const { accountId, token: symbol, amount: text, chainId, txHash, logIndex } = request;
      const event = { chainId, txHash, logIndex };
      const token = findToken(dependencies.assets, symbol, event.chainId);
      if (token === undefined) throw new CodedError('TOKEN_NOT_SUPPORTED');
      const from = request.fromAddress === '' ? '' : readAddress('from_address', request.fromAddress);
      return { accountId, token, amount: parseAmount(text), event, from };
    },
    async ({ accountId, token, amount, event, from }, journal) => {
      const { accounts, claims, movements, screenSoon } = dependencies;
      requireAccount(await accounts.find(accountId));
      const id = depositIdOf(event);
      if ((await claims.claim('deposits', id, accountId)) !== accountId) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      const outcome = await journal.appendOne(depositSeen(event, accountId, token, amount, from));
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
