import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { balanceRows } from '../domain/balance-rows.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireStatus } from './to-wire.ts';
import { toWireRow } from './to-wire-balances.ts';

/** Balances of any account, as of the last durable block. */
export const getAccountBalances = ({ accounts, assets, shards }: Dependencies) =>
  ownedMethod(
    shards,
    BalanceService.method.getAccountBalances,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const account = requireAccount(await accounts.find(accountId));
      const state = await journal.account(accountId);
      if (state === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      return { currencies: balanceRows(assets, account, state).map(toWireRow), status: toWireStatus(state.status) };
    },
  );
