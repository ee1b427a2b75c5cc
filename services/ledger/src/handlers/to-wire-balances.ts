import type { CurrencyRow, TokenRow } from '../domain/balance-rows.ts';

const toWireTokenRow = (row: TokenRow) => ({
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
});

export const toWireRow = (row: CurrencyRow) => ({
  currency: row.currency,
  decimals: row.decimals,
  spendable: row.spendable.toString(),
  nonSpendable: row.nonSpendable.toString(),
  processingDeposits: row.processingDeposits.toString(),
  processingWithdrawals: row.processingWithdrawals.toString(),
  tokens: row.tokens.map(toWireTokenRow),
  settling: row.settling.toString(),
  debt: row.debt.toString(),
});
