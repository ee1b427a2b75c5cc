import type { CurrencyRow, TokenRow } from '../domain/balance-rows.ts';
import type { Dependencies } from './dependencies.ts';

type MinimumOf = Dependencies['minimumOf'];

const toWireTokenRow = (row: TokenRow, minimumOf: MinimumOf) => ({
  token: row.token,
  decimals: row.decimals,
  spendable: row.spendable.toString(),
  nonSpendable: row.nonSpendable.toString(),
  processingDeposits: row.processingDeposits.toString(),
  maxInstantWithdraw: row.maxInstantWithdraw.toString(),
  processingWithdrawals: row.processingWithdrawals.toString(),
  settling: row.settling.toString(),
  debt: row.debt.toString(),
  contract: row.contract ?? '',
  held: row.held.toString(),
  depositMinimum: minimumOf(row.token).toString(),
});

export const toWireRow = (row: CurrencyRow, minimumOf: MinimumOf) => ({
  currency: row.currency,
  decimals: row.decimals,
  spendable: row.spendable.toString(),
  nonSpendable: row.nonSpendable.toString(),
  processingDeposits: row.processingDeposits.toString(),
  processingWithdrawals: row.processingWithdrawals.toString(),
  tokens: row.tokens.map((one) => toWireTokenRow(one, minimumOf)),
  settling: row.settling.toString(),
  debt: row.debt.toString(),
});
