import { userMethod } from '@florin/kit/rpc';
import type { GetBalancesRequest } from '@florin/proto/ledger/v1/balance_service';
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
 * Balances are those of the journal's last durable block. One account is read without a pause, hence from one and the same block.
 * @throws CodedError ACCOUNT_NOT_FOUND
 */
export const getBalances = ({ accounts, assets, journal }: Dependencies) =>
  userMethod(async (_request: GetBalancesRequest, { caller }) => {
    const account = requireAccount(await accounts.findByUser(caller.userId));
    return { currencies: balanceRows(assets, account, journal.balance).map(toWireRow) };
  });
