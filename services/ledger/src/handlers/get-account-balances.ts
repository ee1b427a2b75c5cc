import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { balanceRows } from '../domain/balance-rows.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';
import { toWireStatus } from './to-wire.ts';
import { toWireRow } from './to-wire-balances.ts';

const requestSchema = z.object({ accountId: uuidSchema });

/**
 * Balances of any account, as of the last durable block.
 * @throws CodedError ACCOUNT_NOT_FOUND, VALIDATION_FAILED
 */
export const getAccountBalances = ({ accounts, assets, shards }: Dependencies) =>
  ownedMethod(
    shards,
    BalanceService.method.getAccountBalances,
    withScope(LEDGER_SCOPES.readBalances),
    (request) => parseRequest(requestSchema, request),
    async ({ accountId }, journal) => {
      const account = requireAccount(await accounts.find(accountId));
      const state = await journal.account(accountId);
      if (state === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      return { currencies: balanceRows(assets, account, state).map(toWireRow), status: toWireStatus(state.status) };
    },
  );
