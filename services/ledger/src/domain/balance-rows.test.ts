import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Assets, DEFAULT_ASSETS } from './assets.ts';
import { balanceRows } from './balance-rows.ts';
import { type Bucket, userAccount } from './ledger-account.ts';

const ASSETS: Assets = {
  ...DEFAULT_ASSETS,
  tokens: [
    { symbol: 'EURe', decimals: 18, currency: 'EUR', chainId: 100 },
    { symbol: 'EURC', decimals: 6, currency: 'EUR', chainId: 100 },
    { symbol: 'EUR0', decimals: 0, currency: 'EUR', chainId: 100 },
  ],
};
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const account = (status: 'provisioning' | 'active' | 'blocked') => ({
  id: ID,
  status,
  chainId: 100,
  nativeCurrency: 'EUR',
  additionalCurrencies: [],
});
const balances = (table: Record<string, bigint>) => (name: string) => table[name] ?? 0n;
const at = (token: string, bucket: Bucket) => userAccount(ID, token, bucket);

describe('currency rows', () => {
  it('add up exactly before they round: dust of two tokens can make a whole unit', () => {
    const table = { [at('EURe', 'available')]: 5_000_000_000_000_000n, [at('EURC', 'available')]: 5_000n };
    expect(balanceRows(ASSETS, account('active'), balances(table))[0]).toMatchObject({ spendable: 1n });
    table[at('EURe', 'available')] = 4_999_999_999_999_999n;
    expect(balanceRows(ASSETS, account('active'), balances(table))[0]).toMatchObject({ spendable: 0n });
  });

  it('put the buckets where they belong, by the state of the account', () => {
    const table = {
      [at('EUR0', 'available')]: 1n,
      [at('EUR0', 'held')]: 2n,
      [at('EUR0', 'incoming')]: 3n,
      [at('EUR0', 'outgoing')]: 4n,
    };
    const row = (status: 'provisioning' | 'active' | 'blocked') => balanceRows(ASSETS, account(status), balances(table))[0];
    const rest = { processingDeposits: 300n, processingWithdrawals: 400n };
    expect(row('active')).toMatchObject({ ...rest, spendable: 100n, nonSpendable: 200n });
    expect(row('active')?.tokens[2]).toMatchObject({ spendable: 1n, nonSpendable: 2n, processingDeposits: 3n, maxInstantWithdraw: 1n });
    expect(row('blocked')).toMatchObject({ ...rest, spendable: 0n, nonSpendable: 300n });
    expect(row('blocked')?.tokens[2]).toMatchObject({ spendable: 0n, nonSpendable: 3n, maxInstantWithdraw: 0n });
    expect(row('provisioning')?.tokens[2]).toMatchObject({ spendable: 1n, maxInstantWithdraw: 0n });
  });

  it('never say more than the tokens hold, and leave out less than one minor unit', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 40n });
    fc.assert(
      fc.property(amount, amount, amount, (a, b, c) => {
        const table = { [at('EURe', 'available')]: a, [at('EURC', 'available')]: b, [at('EUR0', 'available')]: c };
        const spendable = balanceRows(ASSETS, account('active'), balances(table))[0]?.spendable ?? -1n;
        const dust = a + b * 10n ** 12n + c * 10n ** 18n - spendable * 10n ** 16n;
        expect(dust >= 0n && dust < 10n ** 16n).toBe(true);
      }),
    );
  });
});
