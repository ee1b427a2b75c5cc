import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { findToken } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import { parseAmount } from '@florin/rpc/money';
import { serviceMethod } from '@florin/rpc/server';
import { withdrawalCreated } from '../domain/withdrawal.ts';
import { currentMovement } from '../journal/current-movement.ts';
import { movementAfter, mustExist } from './answer-movement.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { readAddress, readMetadata } from './fields.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireWithdrawal } from './to-wire.ts';

/** Reserves money; the journal decides whether there is enough. */
export const createWithdrawal = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    MovementService.method.createWithdrawal,
    serviceMethod,
    (request) => {
      const { withdrawalId, accountId, txHash, toAddress, forced } = request;
      const to = toAddress === '' ? '' : readAddress('to_address', toAddress);
      const metadata = readMetadata(request.metadata);
      const token = findToken(dependencies.assets, request.token);
      if (token === undefined) throw new CodedError('TOKEN_NOT_SUPPORTED');
      return { withdrawalId, accountId, token, amount: parseAmount(request.amount), txHash, to, forced, metadata };
    },
    async ({ withdrawalId: id, accountId, token, ...rest }, journal) => {
      const { accounts, claims, movements } = dependencies;
      const account = requireAccount(await accounts.find(accountId));
      if (token.chainId !== account.chainId) throw new CodedError('TOKEN_NOT_SUPPORTED');
      if ((await claims.claim('withdrawals', id, accountId)) !== accountId) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      const outcome = await journal.appendOne(withdrawalCreated({ id, accountId, token, ...rest }));
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
