import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment } from './testing/world.ts';

const ledger = serveLedger(ledgerEnvironment({ JOURNAL_SHARDS: '4' }));

describe('lists of deposits and withdrawals', () => {
  it('are newest first, in pages that new rows do not shift', async () => {
    const account = await ledger.open();
    const amounts = Array.from({ length: 7 }, (_, index) => (index + 1).toString());
    for (const amount of amounts) await ledger.see(account, 'EURe', amount);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { deposits, page } = await ledger.movements.listDeposits({ page: { limit: 3, cursor } }, account.user);
      seen.push(...deposits.map(({ amount }) => amount));
      cursor = page?.nextCursor ?? '';
      await ledger.see(account, 'EURe', '99');
    } while (cursor !== '');
    expect(seen).toEqual(amounts.reverse());
  });

  it('have fifty rows by default, and pages of rows from one block do not overlap', async () => {
    const account = await ledger.open();
    await Promise.all(Array.from({ length: 55 }, (_, index) => ledger.see(account, 'EURe', (index + 1).toString())));
    const first = await ledger.movements.listDeposits({}, account.user);
    expect(first.deposits).toHaveLength(50);
    const second = await ledger.movements.listDeposits({ page: { limit: 100, cursor: first.page?.nextCursor ?? '' } }, account.user);
    expect(second.deposits).toHaveLength(5);
    expect(second.page?.nextCursor).toBe('');
    expect(new Set([...first.deposits, ...second.deposits].map(({ id }) => id)).size).toBe(55);
  });

  it.each([
    ['too many rows', { limit: 101, cursor: '' }],
    ['negative rows', { limit: -1, cursor: '' }],
    ['a cursor of another list', { limit: 1, cursor: 'AAAA' }],
    ['an invalid cursor', { limit: 1, cursor: '%' }],
  ])('reject %s', async (_name, page) => {
    const account = await ledger.open();
    expect(await codeOf(ledger.movements.listDeposits({ page }, account.user))).toBe('VALIDATION_FAILED');
    expect(await codeOf(ledger.movements.listWithdrawals({ page }, account.user))).toBe('VALIDATION_FAILED');
  });

  it("show only the caller's rows", async () => {
    const [account, other] = [await ledger.open(), await ledger.open()];
    await ledger.fund(account, 'EURe', '5');
    await ledger.withdraw(account, 'EURe', '5');
    expect((await ledger.movements.listDeposits({}, other.user)).deposits).toEqual([]);
    expect((await ledger.movements.listWithdrawals({}, other.user)).withdrawals).toEqual([]);
    const stranger = await ledger.user(randomUUID());
    expect(await codeOf(ledger.movements.listDeposits({}, stranger))).toBe('ACCOUNT_NOT_FOUND');
    expect(await codeOf(ledger.movements.listWithdrawals({}, stranger))).toBe('ACCOUNT_NOT_FOUND');
  });
});
