import { describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment } from './testing/world.ts';

const ledger = serveLedger(ledgerEnvironment({ JOURNAL_SHARDS: '4' }));

describe('balances of a user', () => {
  it('have a row for every currency and token, zero ones included', async () => {
    const account = await ledger.open();
    const { currencies } = await ledger.balances.getBalances({}, account.user);
    expect(currencies.map(({ currency, decimals, tokens }) => [currency, decimals, tokens.map(({ token }) => token)])).toEqual([
      ['EUR', 2, ['EURe']],
      ['GBP', 2, ['GBPe']],
      ['USD', 2, ['USDC.e']],
    ]);
    for (const row of currencies)
      expect(row).toMatchObject({ spendable: '0', nonSpendable: '0', processingDeposits: '0', processingWithdrawals: '0' });
  });

  it('are exact for 6 and 18 decimals, with dust left out of the currency', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '123456789012345678901');
    await ledger.fund(account, 'EURe', '1');
    await ledger.fund(account, 'USDC.e', '1239999');
    await ledger.see(account, 'EURe', '19999999999999999');
    await ledger.withdraw(account, 'EURe', '10000000000000000');
    expect(await ledger.tokenBalances(account)).toMatchObject({
      EURe: {
        decimals: 18,
        spendable: '123446789012345678902',
        processingDeposits: '19999999999999999',
        maxInstantWithdraw: '123446789012345678902',
        row: { spendable: '12344', processingDeposits: '1', processingWithdrawals: '1' },
      },
      'USDC.e': { decimals: 6, spendable: '1239999', row: { spendable: '123' } },
    });
  });

  it('are told to a service that names the user, and to no user about another', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '5000000000000000000');
    const { userId } = account;
    expect(await ledger.balances.getBalances({ userId }, ledger.operator)).toEqual(await ledger.balances.getBalances({}, account.user));
    const other = await ledger.open();
    expect(await codeOf(ledger.balances.getBalances({ userId }, other.user))).toBe('VALIDATION_FAILED');
    expect(await codeOf(ledger.balances.getBalances({ userId: crypto.randomUUID() }, ledger.operator))).toBe('ACCOUNT_NOT_FOUND');
  });

  it('of a blocked account are not spendable', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '5000000000000000000');
    await ledger.accounts.blockAccount({ accountId: account.accountId }, ledger.operator);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({
      spendable: '0',
      nonSpendable: '5000000000000000000',
      maxInstantWithdraw: '0',
      row: { spendable: '0', nonSpendable: '500' },
    });
    expect(await codeOf(ledger.withdraw(account, 'EURe', '1'))).toBe('ACCOUNT_NOT_ACTIVE');
    expect(await codeOf(ledger.accounts.activateAccount({ accountId: account.accountId }, ledger.operator))).toBe('ACCOUNT_STATE_CONFLICT');
    expect((await ledger.see(account, 'EURe', '1')).id).toBeDefined();
    await ledger.accounts.unblockAccount({ accountId: account.accountId }, ledger.operator);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '5000000000000000000', nonSpendable: '0' });
    expect((await ledger.withdraw(account, 'EURe', '1')).id).toBeDefined();
  });
});
