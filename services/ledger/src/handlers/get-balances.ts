import { CodedError } from '@florin/kit/errors';
import { userMethod } from '@florin/kit/rpc';
import { BalanceService, type GetBalancesRequest } from '@florin/proto/ledger/v1/balance_service';
import { balanceRows, type CurrencyRow, type TokenRow } from '../domain/balance-rows.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';

const toWireTokenRow = ({ token, decimals, spendable, nonSpendable, processingDeposits, maxInstantWithdraw }: TokenRow) => ({
  token,
  decimals,
  spendable: spendable.toString(),
  nonSpendable: nonSpendable.toString(),
  processingDeposits: processingDeposits.toString(),
  maxInstantWithdraw: maxInstantWithdraw.toString(),
});

const toWireRow = ({ currency, decimals, spendable, nonSpendable, processingDeposits, processingWithdrawals, tokens }: CurrencyRow) => ({
  currency,
  decimals,
  spendable: spendable.toString(),
  nonSpendable: nonSpendable.toString(),
  processingDeposits: processingDeposits.toString(),
  processingWithdrawals: processingWithdrawals.toString(),
  tokens: tokens.map(toWireTokenRow),
});

/**
 * Balances are those of the journal's last durable block, all of one and the same.
 * @throws CodedError ACCOUNT_NOT_FOUND
 */
export const getBalances = ({ accounts, assets, shards }: Dependencies) =>
  userMethod(async (request: GetBalancesRequest, call) => {
    const account = requireAccount(await accounts.findByUser(call.caller.userId));
    return shards.atOwner(account.id, { rpc: BalanceService.method.getBalances, request, call }, async (journal) => {
      const state = await journal.account(account.id);
      // Its opener was killed before the journal learned of it, and repeats.
      if (state === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      return { currencies: balanceRows(assets, account, state).map(toWireRow) };
    });
  });
