import { type Assets, DEFAULT_ASSETS } from '@florin/rpc/assets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountStatus } from './account.ts';
import { type AccountState, accountState, amountOf } from './account-state.ts';
import { balanceRows, type CurrencyRow } from './balance-rows.ts';
import { BUCKETS } from './ledger-account.ts';

const ASSETS: Assets = {
  ...DEFAULT_ASSETS,
  currencies: [...DEFAULT_ASSETS.currencies, { code: 'JPY', decimals: 0 }],
  tokens: [
    ...DEFAULT_ASSETS.tokens,
    { symbol: 'EURC', decimals: 6, currency: 'EUR', chainId: 100 },
    { symbol: 'EUR0', decimals: 0, currency: 'EUR', chainId: 100 },
    { symbol: 'JPYX', decimals: 18, currency: 'JPY', chainId: 100 },
  ],
};
const ACCOUNT = { chainId: 100, nativeCurrency: 'EUR', additionalCurrencies: ['GBP', 'USD', 'JPY'] };

const amount = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.bigInt({ min: 0n, max: 10n ** 16n }));
const state = fc
  .tuple(
    fc.constantFrom<AccountStatus>('provisioning', 'active', 'blocked', 'closed'),
    fc
      .array(amount, { minLength: ASSETS.tokens.length * BUCKETS.length, maxLength: ASSETS.tokens.length * BUCKETS.length })
      .map((amounts) =>
        ASSETS.tokens.flatMap(({ symbol }, t) =>
          BUCKETS.map((bucket, b): [string, bigint] => [`${symbol}/${bucket}`, amounts[t * 4 + b] ?? 0n]),
        ),
      ),
  )
  .map(([status, balances]) => accountState(status, balances));

const SUMS = ['spendable', 'nonSpendable', 'processingDeposits', 'processingWithdrawals'] as const;
const decimalsOf = (currency: string): number => ASSETS.currencies.find(({ code }) => code === currency)?.decimals ?? expect.fail(currency);

/** Units of 10^-36, the finest scale that there can be: every token's amounts are whole there. */
const exact = (value: bigint, decimals: number): bigint => value * 10n ** BigInt(36 - decimals);

const check = (rows: readonly CurrencyRow[], account: AccountState): void => {
  const { status } = account;
  expect(rows.map(({ currency }) => currency)).toEqual(['EUR', 'GBP', 'USD', 'JPY']);
  for (const row of rows) {
    expect(row.decimals).toBe(decimalsOf(row.currency));
    for (const field of SUMS) {
      const whole = row.tokens.reduce((sum, token) => sum + exact(token[field], token.decimals), 0n);
      const dust = whole - exact(row[field], row.decimals);
      // Never more than there is, and short by less than one minor unit.
      expect(dust >= 0n && dust < 10n ** BigInt(36 - row.decimals)).toBe(true);
    }
    for (const token of row.tokens) {
      const bucket = (name: string) => amountOf(account, `${token.token}/${name}`);
      // Nothing is shown twice, nothing is left out.
      expect(token.spendable + token.nonSpendable).toBe(bucket('available') + bucket('held'));
      expect(token.processingDeposits).toBe(bucket('incoming'));
      expect(token.processingWithdrawals).toBe(bucket('outgoing'));
      expect(token.spendable).toBe(status === 'blocked' ? 0n : bucket('available'));
      // The most that a withdrawal can take now: the journal rejects it unless the account is active.
      expect(token.maxInstantWithdraw).toBe(status === 'active' ? bucket('available') : 0n);
    }
  }
};

describe('balances of any account', () => {
  it('are exact for every token, and whole minor units for every currency', () => {
    fc.assert(fc.property(state, (one) => check(balanceRows(ASSETS, ACCOUNT, one), one)));
  });

  it('are zero rows when there is nothing', () => {
    const empty = accountState('active');
    const rows = balanceRows(ASSETS, ACCOUNT, empty);
    check(rows, empty);
    expect(rows.flatMap(({ tokens }) => tokens.map(({ token, spendable }) => [token, spendable]))).toHaveLength(ASSETS.tokens.length);
  });
});
