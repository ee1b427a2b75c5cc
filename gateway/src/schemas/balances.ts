import type { CurrencyBalance, TokenBalance } from '@florin/proto/ledger/v1/balance_service';
import { z } from 'zod';
import { amount, currency, decimals, token } from './fields.ts';

const tokenRow = z
  .object({
    token,
    decimals,
    spendable: amount,
    nonSpendable: amount,
    processingDeposits: amount,
    maxInstantWithdraw: amount,
  })
  .meta({ id: 'TokenBalance' });

const currencyRow = z
  .object({
    currency,
    decimals,
    spendable: amount.meta({ description: 'Whole minor units of the spendable tokens; fractions are not spendable' }),
    nonSpendable: amount.meta({ description: 'Amount held by card authorizations or blocked' }),
    processingDeposits: amount,
    processingWithdrawals: amount,
    tokens: z.array(tokenRow),
  })
  .meta({ id: 'CurrencyBalance' });

/** Section 2.6 of the specification. */
export const balances = z.object({ data: z.array(currencyRow) }).meta({ id: 'Balances' });

// Copied field by field, so that a field added by a newer service is not passed on before the document declares it.
const toTokenRow = (row: TokenBalance): z.output<typeof tokenRow> => ({
  token: row.token,
  decimals: row.decimals,
  spendable: row.spendable,
  nonSpendable: row.nonSpendable,
  processingDeposits: row.processingDeposits,
  maxInstantWithdraw: row.maxInstantWithdraw,
});

export const toBalances = (currencies: readonly CurrencyBalance[]): z.output<typeof balances> => ({
  data: currencies.map((row) => ({
    currency: row.currency,
    decimals: row.decimals,
    spendable: row.spendable,
    nonSpendable: row.nonSpendable,
    processingDeposits: row.processingDeposits,
    processingWithdrawals: row.processingWithdrawals,
    tokens: row.tokens.map(toTokenRow),
  })),
});
