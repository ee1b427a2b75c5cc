import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import mongoose from 'mongoose';
import { afterAll, describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment, randomTxHash } from './testing/world.ts';

// Lists show what was answered also on a machine that has other work.
const environment = ledgerEnvironment({ JOURNAL_SHARDS: '4', JOURNAL_PROJECTION_WAIT_MS: '10000' });
const ledger = serveLedger(environment);
const database = mongoose.createConnection(environment['MONGODB_URI'] ?? '', { dbName: environment['MONGODB_DATABASE'] ?? '' });
afterAll(() => database.close());

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

  it('are filtered by states, token, currency and time, with pages', async () => {
    const account = await ledger.open();
    const pending = await ledger.see(account, 'EURe', '1');
    const approved = await ledger.see(account, 'EURe', '2');
    const rejected = await ledger.see(account, 'GBPe', '3');
    await ledger.resolve(approved.id);
    await ledger.resolve(rejected.id, DepositStatus.REJECTED);
    const list = async (filter: Parameters<typeof ledger.movements.listDeposits>[0]) =>
      (await ledger.movements.listDeposits(filter, account.user)).deposits.map(({ id }) => id);
    expect(await list({ statuses: [DepositStatus.PENDING] })).toEqual([pending.id]);
    expect(await list({ statuses: [DepositStatus.REJECTED, DepositStatus.APPROVED] })).toEqual([rejected.id, approved.id]);
    expect(await list({ token: 'EURe' })).toEqual([approved.id, pending.id]);
    expect(await list({ token: 'EURe', currency: 'GBP' })).toEqual([]);
    expect(await list({ currency: 'GBP' })).toEqual([rejected.id]);
    expect(await list({ from: approved.createdAt, to: rejected.createdAt, statuses: [DepositStatus.PENDING] })).toEqual([]);
    const since = { from: timestampFromDate(new Date('2020-01-01')) };
    expect(await list({ ...since, to: since.from })).toEqual([]);
    const { deposits, page } = await ledger.movements.listDeposits({ ...since, token: 'EURe', page: { limit: 1 } }, account.user);
    expect(deposits).toMatchObject([{ id: approved.id }]);
    expect(await list({ ...since, token: 'EURe', page: { limit: 1, cursor: page?.nextCursor ?? '' } })).toEqual([pending.id]);
    const reversed = { from: timestampFromDate(new Date('2020-01-02')), to: since.from };
    for (const wrong of [list({ statuses: [0] }), list({ currency: 'EURO' }), list(reversed)])
      expect(await codeOf(wrong)).toBe('VALIDATION_FAILED');
  });

  it('have the times of their states, and why a withdrawal has failed, as answers have them', async () => {
    const account = await ledger.open();
    const { deposit } = await ledger.fund(account, 'EURe', '5');
    expect(deposit?.resolvedAt).toBeDefined();
    expect((await ledger.movements.listDeposits({}, account.user)).deposits).toMatchObject([{ resolvedAt: deposit?.resolvedAt }]);
    const metadata = { actor: 'operator', reason: 'gone' };
    const reversed = await ledger.movements.reverseDeposit({ depositId: deposit?.id ?? '', metadata }, ledger.operator);
    expect(reversed.deposit).toMatchObject({ resolvedAt: deposit?.resolvedAt, reversedAt: { nanos: expect.any(Number) } });
    await ledger.fund(account, 'EURe', '9');
    const { id: withdrawalId } = await ledger.withdraw(account, 'EURe', '2');
    const report = (status: WithdrawalStatus, reason = '') =>
      ledger.movements.updateWithdrawal({ withdrawalId, status, reason }, ledger.operator);
    expect(await codeOf(report(WithdrawalStatus.PROCESSING, 'TOKEN_BLOCKED'))).toBe('VALIDATION_FAILED');
    expect(await codeOf(report(WithdrawalStatus.FAILED, 'because of it'))).toBe('VALIDATION_FAILED');
    const { withdrawal: sent } = await report(WithdrawalStatus.PROCESSING);
    expect(sent?.processingAt).toBeDefined();
    expect(sent?.endedAt).toBeUndefined();
    const { withdrawal: failed } = await report(WithdrawalStatus.FAILED, 'TOKEN_BLOCKED');
    expect(failed).toMatchObject({ processingAt: sent?.processingAt, reason: 'TOKEN_BLOCKED', endedAt: { nanos: expect.any(Number) } });
    expect((await report(WithdrawalStatus.FAILED, 'TRANSACTION_FAILED')).withdrawal).toEqual(failed);
    expect((await ledger.movements.listWithdrawals({}, account.user)).withdrawals).toEqual([failed]);
    expect((await ledger.verify()).ok).toBe(true);
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

describe('deposits that wait for a decision', () => {
  it('are listed for all accounts and shards, by id, until they are decided', async () => {
    const accounts = [await ledger.open(), await ledger.open(), await ledger.open()];
    const seen = await Promise.all(accounts.map((account) => ledger.see(account, 'EURe', '1')));
    const list = async () => {
      const found: string[] = [];
      let cursor: string | undefined = '';
      do {
        const { deposits, page } = await ledger.movements.listPendingDeposits({ page: { limit: 2, cursor } }, ledger.operator);
        found.push(...deposits.map(({ id }) => id));
        cursor = page?.nextCursor;
      } while (cursor);
      return found;
    };
    const ids = seen.map(({ id }) => id);
    await expect.poll(list).toEqual(expect.arrayContaining(ids));
    const found = await list();
    expect(found).toEqual([...new Set(found)].sort());
    await ledger.resolve(ids[0] ?? '', DepositStatus.REJECTED);
    await expect.poll(list).not.toContain(ids[0]);
    expect(await list()).toEqual(expect.arrayContaining(ids.slice(1)));
    expect(await codeOf(ledger.movements.listPendingDeposits({ page: { cursor: 'bogus' } }, ledger.operator))).toBe('VALIDATION_FAILED');
  });
});

describe('deposits and withdrawals of a transaction', () => {
  it('are found at any instance, of all accounts and shards, newest first', async () => {
    const [account, other] = [await ledger.open(), await ledger.open()];
    const txHash = randomTxHash();
    const first = await ledger.see(account, 'EURe', '1', { txHash });
    const second = await ledger.see(other, 'EURe', '2', { txHash, logIndex: 1 });
    await ledger.see(account, 'EURe', '3');
    const find = (hash: string, limit = 0) => ledger.movements.findDeposits({ txHash: hash, limit }, ledger.operator);
    const { deposits, hasMore } = await find(txHash);
    expect([new Set(deposits.map(({ id }) => id)), hasMore]).toEqual([new Set([first.id, second.id]), false]);
    expect((await find(`0x${txHash.slice(2).toUpperCase()}`)).deposits).toEqual(deposits);
    expect(await find(txHash, 1)).toMatchObject({ deposits: [deposits[0]], hasMore: true });
    expect(await find(randomTxHash())).toMatchObject({ deposits: [], hasMore: false });
    expect(await ledger.movements.findWithdrawals({ txHash }, ledger.operator)).toMatchObject({ withdrawals: [], hasMore: false });
  });

  it('are found by the transaction that was reported last', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '5');
    const { id: withdrawalId } = await ledger.withdraw(account, 'EURe', '5');
    const [earlier, later] = [randomTxHash(), randomTxHash()];
    for (const [status, txHash] of [
      [WithdrawalStatus.PROCESSING, earlier],
      [WithdrawalStatus.COMPLETED, later],
    ] as const) {
      await ledger.movements.updateWithdrawal({ withdrawalId, status, txHash }, ledger.operator);
    }
    const find = async (txHash: string) =>
      (await ledger.movements.findWithdrawals({ txHash }, ledger.operator)).withdrawals.map(({ id }) => id);
    expect(await find(later)).toEqual([withdrawalId]);
    expect(await find(earlier)).toEqual([]);
  });

  it('are found by an index', async () => {
    for (const collection of ['deposits', 'withdrawals']) {
      const indexes = await database.collection(collection).indexes();
      expect(indexes.map(({ key }) => Object.keys(key))).toContainEqual(['txHash']);
    }
  });

  it.each([
    ['no hash', '0x', 0],
    ['a hash that is too long', `${randomTxHash()}0`, 0],
    ['what is no hash', `0x${'g'.repeat(64)}`, 0],
    ['too many rows', randomTxHash(), 101],
    ['negative rows', randomTxHash(), -1],
  ])('are not looked for by %s', async (_name, txHash, limit) => {
    expect(await codeOf(ledger.movements.findDeposits({ txHash, limit }, ledger.operator))).toBe('VALIDATION_FAILED');
    expect(await codeOf(ledger.movements.findWithdrawals({ txHash, limit }, ledger.operator))).toBe('VALIDATION_FAILED');
  });
});
