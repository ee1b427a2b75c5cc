import type { Assets, Currency, Token } from '@florin/rpc/assets';
import { type Amount, toMinorUnits } from '@florin/rpc/money';
import type { Account } from './account.ts';
import { type AccountState, balanceOf } from './account-state.ts';
import type { Bucket } from './ledger-account.ts';

type Sums = {
  spendable: Amount;
  nonSpendable: Amount;
  processingDeposits: Amount;
  processingWithdrawals: Amount;
  settling: Amount;
  /** The user's debt, zero or above. */
  debt: Amount;
};

/** Amounts in the token's smallest unit. */
export type TokenRow = Sums & {
  token: string;
  decimals: number;
  maxInstantWithdraw: Amount;
  /** Held, in every state of the account. */
  held: Amount;
  /** Contract of the token, in lower case. */
  contract: string | undefined;
};

/** Amounts in the currency's minor unit, rounded down; `debt` rounded up. */
export type CurrencyRow = Sums & { currency: string; decimals: number; tokens: TokenRow[] };

/** A blocked account pays nothing out: what is available counts as not spendable until it is unblocked. */
const tokenRow = (state: AccountState, token: Token): TokenRow => {
  const bucket = (name: Bucket) => balanceOf(state, token.symbol, name);
  const blocked = state.status === 'blocked';
  const available = bucket('available');
  return {
    token: token.symbol,
    decimals: token.decimals,
    spendable: blocked ? 0n : available,
    nonSpendable: bucket('held') + (blocked ? available : 0n),
    processingDeposits: bucket('incoming'),
    processingWithdrawals: bucket('outgoing'),
    settling: bucket('settling'),
    held: bucket('held'),
    debt: -bucket('debt'),
    maxInstantWithdraw: state.status === 'active' ? available : 0n,
    contract: token.address,
  };
};

/**
 * Adds up exactly, in the finest scale of all, and rounds once: two tokens' dust may make a whole minor unit together. Down, so that what
 * remains is not spendable; up for what is owed, so that it never shows as less than it is.
 */
const sum = (currency: Currency, tokens: readonly TokenRow[], field: keyof Sums, round: 'down' | 'up' = 'down'): Amount => {
  const finest = Math.max(currency.decimals, ...tokens.map(({ decimals }) => decimals));
  const exact = tokens.reduce((total, token) => total + toMinorUnits(token[field], token.decimals, finest), 0n);
  const whole = toMinorUnits(exact, finest, currency.decimals);
  return round === 'up' && toMinorUnits(whole, currency.decimals, finest) < exact ? whole + 1n : whole;
};

/** One row per currency of the account, native first, zero rows included, each with a row per configured token. */
export const balanceRows = (
  assets: Assets,
  account: Pick<Account, 'chainId' | 'nativeCurrency' | 'additionalCurrencies'>,
  state: AccountState,
): CurrencyRow[] =>
  [account.nativeCurrency, ...account.additionalCurrencies]
    .map((code) => assets.currencies.find((currency) => currency.code === code))
    .filter((currency) => currency !== undefined)
    .map((currency) => {
      const tokens = assets.tokens
        .filter((token) => token.currency === currency.code && token.chainId === account.chainId)
        .map((token) => tokenRow(state, token));
      return {
        currency: currency.code,
        decimals: currency.decimals,
        spendable: sum(currency, tokens, 'spendable'),
        nonSpendable: sum(currency, tokens, 'nonSpendable'),
        processingDeposits: sum(currency, tokens, 'processingDeposits'),
        processingWithdrawals: sum(currency, tokens, 'processingWithdrawals'),
        settling: sum(currency, tokens, 'settling'),
        debt: sum(currency, tokens, 'debt', 'up'),
        tokens,
      };
    });
