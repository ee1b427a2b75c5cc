import { userMethod } from '@florin/kit/rpc';
import type { GetBalancesRequest } from '@florin/proto/ledger/v1/balance_service';
import { balanceRows, type CurrencyRow, type TokenRow } from '../domain/balance-rows.ts';
import { type Parts, requireAccount } from './parts.ts';

const tokenToWire = ({ token, decimals, spendable, nonSpendable, processingDeposits, maxInstantWithdraw }: TokenRow) => ({
  token,
  decimals,
  spendable: spendable.toString(),
  nonSpendable: nonSpendable.toString(),
  processingDeposits: processingDeposits.toString(),
  maxInstantWithdraw: maxInstantWithdraw.toString(),
});

const rowToWire = ({ currency, decimals, spendable, nonSpendable, processingDeposits, processingWithdrawals, tokens }: CurrencyRow) => ({
  currency,
  decimals,
  spendable: spendable.toString(),
  nonSpendable: nonSpendable.toString(),
  processingDeposits: processingDeposits.toString(),
  processingWithdrawals: processingWithdrawals.toString(),
  tokens: tokens.map(tokenToWire),
});

/** Balances are those of the journal's last durable block. One account is read without a pause, hence from one and the same block. */
export const getBalances = ({ accounts, assets, journal }: Parts) =>
  userMethod(async (_message: GetBalancesRequest, { caller }) => {
    const account = requireAccount(await accounts.findByUser(caller.userId));
    return { currencies: balanceRows(assets, account, journal.balance).map(rowToWire) };
  });
