import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, OWNER, startLedger, type TestLedger } from './testing/world.ts';

const assets = { ...DEFAULT_ASSETS, tokens: [...DEFAULT_ASSETS.tokens, { symbol: 'EURC', decimals: 6, currency: 'EUR', chainId: 100 }] };

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger(ledgerEnvironment(), { environment: { ASSETS: JSON.stringify(assets) } });
});
afterAll(() => ledger.close());

type Opened = Awaited<ReturnType<TestLedger['open']>>;

const hold = async ({ accountId }: Opened, token: string, amount: string) => {
  const entryId = randomUUID();
  const holdExpiresAt = timestampFromDate(new Date(Date.now() + 3_600_000));
  const transfers = [{ debit: accountId, credit: 'settlement', token, amount }];
  const { results } = await ledger.entries.createEntries({ entries: [{ entryId, transfers, holdExpiresAt }] }, ledger.operator);
  return { holdId: entryId, code: results[0]?.code };
};
const row = async (account: Opened, currency: string) =>
  (await ledger.balances.getBalances({}, account.user)).currencies.find((one) => one.currency === currency) ?? expect.fail(currency);

describe('balances', () => {
  it('follow a card payment: held, taken in part, the rest free again', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '10000000000000000000');
    const { holdId } = await hold(account, 'EURe', '4990000000000000001');
    expect(await row(account, 'EUR')).toMatchObject({
      // 5.009999999999999999 and 4.990000000000000001: each rounds down, a cent is dust until they meet again.
      spendable: '500',
      nonSpendable: '499',
      tokens: [{ spendable: '5009999999999999999', nonSpendable: '4990000000000000001', maxInstantWithdraw: '5009999999999999999' }, {}],
    });
    await ledger.holds.postHold({ accountId: account.accountId, holdId, amount: '3000000000000000001' }, ledger.operator);
    expect(await row(account, 'EUR')).toMatchObject({
      spendable: '699',
      nonSpendable: '0',
      tokens: [{ spendable: '6999999999999999999', nonSpendable: '0', maxInstantWithdraw: '6999999999999999999' }, {}],
    });
  });

  it('keep what is held from a withdrawal, and give it back with the hold', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'USDC.e', '1000000');
    const { holdId } = await hold(account, 'USDC.e', '600000');
    expect(await codeOf(ledger.withdraw(account, 'USDC.e', '400001'))).toBe('INSUFFICIENT_FUNDS');
    const { maxInstantWithdraw } = (await ledger.tokenBalances(account))['USDC.e'] ?? expect.fail('no row');
    const withdrawal = await ledger.withdraw(account, 'USDC.e', maxInstantWithdraw);
    expect(await row(account, 'USD')).toMatchObject({ spendable: '0', nonSpendable: '60', processingWithdrawals: '40' });
    await ledger.holds.voidHold({ accountId: account.accountId, holdId }, ledger.operator);
    expect(await row(account, 'USD')).toMatchObject({ spendable: '60', nonSpendable: '0', processingWithdrawals: '40' });
    await ledger.movements.updateWithdrawal({ withdrawalId: withdrawal.id, status: WithdrawalStatus.COMPLETED }, ledger.operator);
    expect(await row(account, 'USD')).toMatchObject({ spendable: '60', nonSpendable: '0', processingWithdrawals: '0' });
  });

  it('add up tokens of 18 and 6 decimals before they round', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '5000000000000000');
    await ledger.fund(account, 'EURC', '5000');
    expect(await row(account, 'EUR')).toMatchObject({ spendable: '1', tokens: [{ spendable: '5000000000000000' }, { spendable: '5000' }] });
    await hold(account, 'EURe', '1');
    expect(await row(account, 'EUR')).toMatchObject({ spendable: '0', nonSpendable: '0', tokens: [{ nonSpendable: '1' }, {}] });
  });

  it('show everything at once: spendable, held, incoming, outgoing', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'GBPe', '1000000000000000000');
    await ledger.see(account, 'GBPe', '70000000000000000');
    await hold(account, 'GBPe', '200000000000000000');
    await ledger.withdraw(account, 'GBPe', '300000000000000000');
    const before = { spendable: '50', nonSpendable: '20', processingDeposits: '7', processingWithdrawals: '30' };
    const held = '200000000000000000';
    expect(await row(account, 'GBP')).toMatchObject({ ...before, tokens: [{ maxInstantWithdraw: '500000000000000000', held }] });
    await ledger.accounts.blockAccount({ accountId: account.accountId }, ledger.operator);
    expect(await row(account, 'GBP')).toMatchObject({
      ...before,
      spendable: '0',
      nonSpendable: '70',
      tokens: [{ maxInstantWithdraw: '0', held }],
    });
    await ledger.accounts.unblockAccount({ accountId: account.accountId }, ledger.operator);
    expect(await row(account, 'GBP')).toMatchObject(before);
  });

  it('are those of the new account as soon as the old one is closed', async () => {
    const old = await ledger.open();
    expect((await ledger.tokenBalances(old))['EURe']?.spendable).toBe('0');
    await ledger.accounts.closeAccount({ accountId: old.accountId }, ledger.operator);
    expect((await ledger.tokenBalances(old))['EURe']?.maxInstantWithdraw).toBe('0');
    const accountId = randomUUID();
    await ledger.accounts.openAccount(
      { accountId, userId: old.userId, kycProfileId: randomUUID(), safeOwnerAddress: OWNER },
      ledger.operator,
    );
    await ledger.fund({ accountId }, 'EURe', '5');
    expect((await ledger.tokenBalances(old))['EURe']?.spendable).toBe('5');
  });
});
