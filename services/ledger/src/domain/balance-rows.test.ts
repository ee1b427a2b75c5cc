import { type Assets, DEFAULT_ASSETS } from '@florin/rpc/assets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountStatus } from './account.ts';
import { type AccountState, accountState } from './account-state.ts';
import { balanceRows } from './balance-rows.ts';
import type { Bucket } from './ledger-account.ts';

const ASSETS: Assets = {
  ...DEFAULT_ASSETS,
  tokens: [
    { symbol: 'EURe', decimals: 18, currency: 'EUR', chainId: 100 },
    { symbol: 'EURC', decimals: 6, currency: 'EUR', chainId: 100 },
    { symbol: 'EUR0', decimals: 0, currency: 'EUR', chainId: 100 },
  ],
};
const ACCOUNT = { chainId: 100, nativeCurrency: 'EUR', additionalCurrencies: [] };
type Table = Partial<Record<`${'EURe' | 'EURC' | 'EUR0'}/${Bucket}`, bigint>>;
const state = (status: AccountStatus, table: Table): AccountState => accountState(status, Object.entries(table));
const rowOf = (status: AccountStatus, table: Table) => balanceRows(ASSETS, ACCOUNT, state(status, table))[0];

describe('currency rows', () => {
  it('add up exactly before they round: dust of two tokens can make a whole unit', () => {
    const row = (amount: bigint) => rowOf('active', { 'EURe/available': amount, 'EURC/available': 5_000n });
    expect(row(5_000_000_000_000_000n)).toMatchObject({ spendable: 1n });
    expect(row(4_999_999_999_999_999n)).toMatchObject({ spendable: 0n });
  });

  it('put the buckets where they belong, by the state of the account', () => {
    const row = (status: AccountStatus) =>
      rowOf(status, { 'EUR0/available': 1n, 'EUR0/held': 2n, 'EUR0/incoming': 3n, 'EUR0/outgoing': 4n });
    const rest = { processingDeposits: 300n, processingWithdrawals: 400n };
    expect(row('active')).toMatchObject({ ...rest, spendable: 100n, nonSpendable: 200n });
    expect(row('active')?.tokens[2]).toMatchObject({ spendable: 1n, nonSpendable: 2n, processingDeposits: 3n, maxInstantWithdraw: 1n });
    expect(row('blocked')).toMatchObject({ ...rest, spendable: 0n, nonSpendable: 300n });
    expect(row('blocked')?.tokens[2]).toMatchObject({ spendable: 0n, nonSpendable: 3n, maxInstantWithdraw: 0n });
    expect(row('provisioning')?.tokens[2]).toMatchObject({ spendable: 1n, maxInstantWithdraw: 0n });
  });

  it("never exceed the tokens' balances, and omit less than one minor unit", () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 40n });
    fc.assert(
      fc.property(amount, amount, amount, (a, b, c) => {
        const spendable = rowOf('active', { 'EURe/available': a, 'EURC/available': b, 'EUR0/available': c })?.spendable ?? -1n;
        const dust = a + b * 10n ** 12n + c * 10n ** 18n - spendable * 10n ** 16n;
        expect(dust >= 0n && dust < 10n ** 16n).toBe(true);
      }),
    );
  });
});
