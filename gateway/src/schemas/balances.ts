import type { CurrencyBalance, TokenBalance } from '@florin/proto/ledger/v1/balance_service';
import { toMinorUnits } from '@florin/rpc/money';
import { z } from 'zod';
import { amount, currency, decimals, token } from './fields.ts';

type TokenAmount = { token: string; amount: string };

/** The chain service's knowledge: transfers that are seen and not booked yet, and what may still be withdrawn where there is a limit. */
type OnChain = { arriving: readonly TokenAmount[]; allowances: readonly TokenAmount[] };

/** An app compares the transaction of a withdrawal with it. */
const contract = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/)
  .meta({ description: 'Contract of the token on the chain of the account, in lower case; absent if none is configured' });

const tokenRow = z
  .object({
    token,
    decimals,
    spendable: amount,
    nonSpendable: amount,
    processingDeposits: amount,
    maxInstantWithdraw: amount,
    contract: contract.optional(),
    depositMinimum: amount
      .optional()
      .meta({ description: 'Least amount of a deposit that is credited; a smaller one is rejected. Absent if any amount is credited' }),
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

const lesser = (amount: string, limit: string | undefined): string =>
  limit === undefined || BigInt(limit) >= BigInt(amount) ? amount : limit;

// Copied field by field, so that a field added by a newer service is not passed on before the document declares it.
const toTokenRow = (row: TokenBalance, { arriving, allowances }: OnChain): z.output<typeof tokenRow> => ({
  token: row.token,
  decimals: row.decimals,
  spendable: row.spendable,
  nonSpendable: row.nonSpendable,
  processingDeposits: String(
    arriving.reduce(
      (sum, { token: symbol, amount: more }) => (symbol === row.token ? sum + BigInt(more) : sum),
      BigInt(row.processingDeposits),
    ),
  ),
  maxInstantWithdraw: lesser(row.maxInstantWithdraw, allowances.find((one) => one.token === row.token)?.amount),
  ...(row.contract === '' ? {} : { contract: row.contract }),
  ...(row.depositMinimum === '' || row.depositMinimum === '0' ? {} : { depositMinimum: row.depositMinimum }),
});

/** The value of tokens that are being deposited, in whole minor units of their currency: added up exactly, and rounded down once, as the ledger does. */
const depositsOf = (minor: number, tokens: readonly z.output<typeof tokenRow>[]): string => {
  const finest = Math.max(minor, ...tokens.map((row) => row.decimals));
  const exact = tokens.reduce((sum, row) => sum + toMinorUnits(BigInt(row.processingDeposits), row.decimals, finest), 0n);
  return String(toMinorUnits(exact, finest, minor));
};

export const toBalances = (currencies: readonly CurrencyBalance[], onChain: OnChain): z.output<typeof balances> => ({
  data: currencies.map((row) => {
    const tokens = row.tokens.map((one) => toTokenRow(one, onChain));
    return {
      currency: row.currency,
      decimals: row.decimals,
      spendable: row.spendable,
      nonSpendable: row.nonSpendable,
      processingDeposits: onChain.arriving.length === 0 ? row.processingDeposits : depositsOf(row.decimals, tokens),
      processingWithdrawals: row.processingWithdrawals,
      tokens,
    };
  }),
});
