import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EntryKind } from '@florin/proto/ledger/v1/entry';
import { systemRuntime } from '@florin/rpc/runtime';
import { fakeClock, waitFor } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment, resultName, type TestLedger } from './testing/world.ts';

/** Only ever moved forward. */
const clock = fakeClock();
const MINUTE_S = 60;

const ledger = serveLedger(ledgerEnvironment(), { runtime: { ...systemRuntime, now: clock.now } });

type Account = Awaited<ReturnType<TestLedger['open']>>;

const inSeconds = (seconds: number) => timestampFromDate(new Date(clock.now().getTime() + seconds * 1000));
const holdOf = (account: Account, amount: string, seconds = MINUTE_S) => ({
  entryId: randomUUID() as string,
  transfers: [{ debit: account.accountId, credit: 'settlement', token: 'EURe', amount }],
  holdExpiresAt: inSeconds(seconds),
});
const create = async (hold: ReturnType<typeof holdOf>) => {
  const { results } = await ledger.entries.createEntries({ entries: [hold] }, ledger.operator);
  return resultName(results[0]?.code);
};
const post = (account: Account, holdId: string, amount = '') =>
  ledger.holds.postHold({ accountId: account.accountId, holdId, amount }, ledger.operator);
const release = (account: Account, holdId: string) => ledger.holds.voidHold({ accountId: account.accountId, holdId }, ledger.operator);
const balances = async (account: Account) => {
  const row = (await ledger.tokenBalances(account))['EURe'];
  return [row?.spendable, row?.nonSpendable];
};

const withHold = async (amount = '40', seconds = MINUTE_S) => {
  const account = await ledger.open();
  await ledger.fund(account, 'EURe', '100');
  const hold = holdOf(account, amount, seconds);
  expect(await create(hold)).toBe('CREATED');
  return { account, hold, holdId: hold.entryId };
};

describe('a hold', () => {
  it('sets money aside, which can be posted as a whole', async () => {
    const { account, hold, holdId } = await withHold();
    expect(await balances(account)).toEqual(['60', '40']);
    expect(await create(hold)).toBe('EXISTS');
    expect(await create({ ...hold, holdExpiresAt: inSeconds(2 * MINUTE_S) })).toBe('EXISTS_WITH_DIFFERENT_CONTENT');
    const { entry } = await post(account, holdId);
    expect(entry).toMatchObject({
      kind: EntryKind.HOLD_POSTED,
      accountId: account.accountId,
      transfers: [{ debit: `${account.accountId}/held`, credit: 'settlement', token: 'EURe', amount: '40' }],
    });
    expect(await balances(account)).toEqual(['60', '0']);
    expect((await post(account, holdId)).entry).toEqual(entry);
    expect(await create(hold)).toBe('EXISTS');
    expect(await codeOf(release(account, holdId))).toBe('HOLD_ALREADY_RESOLVED');
    expect(await codeOf(post(account, holdId, '1'))).toBe('HOLD_ALREADY_RESOLVED');
  });

  it('is posted in part, and the rest is free again', async () => {
    const { account, holdId } = await withHold();
    for (const amount of ['41', '9'.repeat(60), '0', '-1', '1.5', 'x']) {
      expect([amount, await codeOf(post(account, holdId, amount))]).toEqual([amount, 'AMOUNT_INVALID']);
    }
    expect(await balances(account)).toEqual(['60', '40']);
    const { entry } = await post(account, holdId, '15');
    expect(entry?.transfers.map(({ credit, amount }) => [credit, amount])).toEqual([
      ['settlement', '15'],
      [`${account.accountId}/available`, '25'],
    ]);
    expect(await balances(account)).toEqual(['85', '0']);
    expect((await post(account, holdId, '15')).entry).toEqual(entry);
    expect(await codeOf(post(account, holdId, '16'))).toBe('HOLD_ALREADY_RESOLVED');
  });

  it('is voided, and cannot be posted any more', async () => {
    const { account, holdId } = await withHold();
    const { entry } = await release(account, holdId);
    expect(entry?.kind).toBe(EntryKind.HOLD_VOIDED);
    expect(await balances(account)).toEqual(['100', '0']);
    expect((await release(account, holdId)).entry).toEqual(entry);
    const before = await ledger.verify();
    expect(await codeOf(post(account, holdId))).toBe('HOLD_ALREADY_RESOLVED');
    expect(await ledger.verify()).toMatchObject({ ok: true, entries: before.entries });
  });

  it('is rejected beyond a thousand open holds, until one ends', async () => {
    const account = await ledger.open();
    await ledger.fund(account, 'EURe', '5000');
    const entries = Array.from({ length: 1000 }, () => holdOf(account, '1'));
    const { results } = await ledger.entries.createEntries({ entries }, ledger.operator);
    expect(new Set(results.map(({ code }) => resultName(code)))).toEqual(new Set(['CREATED']));
    expect(await create(holdOf(account, '1'))).toBe('HOLD_LIMIT_REACHED');
    expect(await balances(account)).toEqual(['4000', '1000']);
    await release(account, entries[0]?.entryId ?? '');
    expect(await create(holdOf(account, '1'))).toBe('CREATED');
  });

  it('is not found under another account', async () => {
    const { account, holdId } = await withHold();
    const other = await ledger.open();
    for (const end of [post, release]) {
      expect(await codeOf(end(other, holdId))).toBe('HOLD_NOT_FOUND');
      expect(await codeOf(end({ ...other, accountId: randomUUID() }, holdId))).toBe('ACCOUNT_NOT_FOUND');
      expect(await codeOf(end(account, randomUUID()))).toBe('HOLD_NOT_FOUND');
      expect(await codeOf(end(account, 'x'))).toBe('VALIDATION_FAILED');
    }
    await post(account, holdId);
    expect(await codeOf(post(other, holdId))).toBe('HOLD_NOT_FOUND');
    expect(await codeOf(release(other, holdId))).toBe('HOLD_NOT_FOUND');
  });

  it('can be ended while the account is blocked, and keeps it from being closed', async () => {
    const { account, holdId } = await withHold('100');
    await ledger.accounts.blockAccount({ accountId: account.accountId }, ledger.operator);
    expect(await create(holdOf(account, '1'))).toBe('ACCOUNT_BLOCKED');
    expect(await codeOf(ledger.accounts.closeAccount({ accountId: account.accountId }, ledger.operator))).toBe('ACCOUNT_NOT_EMPTY');
    await post(account, holdId);
    expect(await codeOf(ledger.accounts.closeAccount({ accountId: account.accountId }, ledger.operator))).toBe('no error');
    expect((await post(account, holdId)).entry?.kind).toBe(EntryKind.HOLD_POSTED);
  });

  it('ends once when posting, voiding and expiry race', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { account, holdId } = await withHold('40', round % 2 === 0 ? MINUTE_S : 1);
      const ends = [post(account, holdId), release(account, holdId), post(account, holdId, '10'), release(account, holdId)];
      clock.advanceSeconds(round % 2 === 0 ? 0 : 2);
      const codes = await Promise.all(ends.map(codeOf));
      await waitFor('the end', async () => ((await balances(account))[1] === '0' ? true : undefined));
      const { entries } = await ledger.entries.listTransfers({ accountId: account.accountId }, ledger.operator);
      const kinds = entries.map(({ kind }) => kind).filter((kind) => kind !== EntryKind.DEPOSIT && kind !== EntryKind.HOLD_CREATED);
      expect(kinds).toHaveLength(1);
      const [spendable] = await balances(account);
      const won = { [EntryKind.HOLD_POSTED]: ['60', '90'], [EntryKind.HOLD_VOIDED]: ['100'], [EntryKind.HOLD_EXPIRED]: ['100'] };
      expect(won[kinds[0] as keyof typeof won]).toContain(spendable);
      expect(codes.filter((code) => !['no error', 'HOLD_ALREADY_RESOLVED', 'HOLD_EXPIRED'].includes(String(code)))).toEqual([]);
    }
  });

  it('expires: it cannot be posted, and its money becomes available', async () => {
    const { account, hold, holdId } = await withHold('40', 10);
    const { account: other, holdId: longer } = await withHold('40', 3600);
    clock.advanceSeconds(11);
    expect(await codeOf(post(account, holdId))).toBe('HOLD_EXPIRED');
    expect(await codeOf(release(account, holdId))).toBe('HOLD_EXPIRED');
    await waitFor('the money', async () => ((await balances(account))[0] === '100' ? true : undefined));
    expect(await balances(account)).toEqual(['100', '0']);
    expect(await codeOf(post(account, holdId))).toBe('HOLD_EXPIRED');
    expect(await create(hold)).toBe('EXISTS');
    expect(await create(holdOf(account, '1', 0))).toBe('HOLD_EXPIRED');
    expect(await balances(other)).toEqual(['60', '40']);
    await post(other, longer);
  });
});
