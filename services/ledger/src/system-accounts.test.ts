import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EntryKind } from '@florin/proto/ledger/v1/entry';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { systemRuntime } from '@florin/rpc/runtime';
import { fakeClock } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment, resultName } from './testing/world.ts';

const clock = fakeClock();
const SYSTEM_ACCOUNTS = JSON.stringify({ promotions: { overdraft: true, open: true } });
const ledger = serveLedger(ledgerEnvironment({ SYSTEM_ACCOUNTS }), { runtime: { ...systemRuntime, now: clock.now } });

const create = async (debit: string, credit: string, amount: string, more: object = {}, as = ledger.operator) => {
  const entryId = randomUUID() as string;
  const entry = { entryId, transfers: [{ debit, credit, token: 'EURe', amount }], ...more };
  const { results } = await ledger.entries.createEntries({ entries: [entry] }, as);
  return { entryId, code: resultName(results[0]?.code) };
};
const balances = async () => {
  const { balances: rows } = await ledger.balances.getSystemBalances({}, ledger.operator);
  return Object.fromEntries(rows.filter(({ token }) => token === 'EURe').map(({ name, balance }) => [name, Number(balance)]));
};
const rich = async (amount = '1000') => {
  const account = await ledger.open();
  await ledger.fund(account, 'EURe', amount);
  return account;
};

describe('system accounts', () => {
  it('transfer to each other within their limits of debt', async () => {
    const before = await balances();
    const { accountId } = await rich();
    await create(accountId, 'fees', '30');
    await create(accountId, 'settlement', '70');
    expect((await create('settlement', 'chain', '50')).code).toBe('CREATED');
    expect((await create('fees', 'chain', '31')).code).toBe('INSUFFICIENT_FUNDS');
    expect((await create('fees', 'chain', '31', { forced: true })).code).toBe('CREATED');
    expect((await create('promotions', accountId, '5')).code).toBe('CREATED');
    expect((await create('disputes', accountId, '8')).code).toBe('CREATED');
    const after = await balances();
    const change = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
    expect(['fees', 'settlement', 'promotions', 'disputes', 'chain'].map(change)).toEqual([-1, 20, -5, -8, -919]);
    const { accounts } = await ledger.balances.getSystemBalances({ shard: '0' }, ledger.operator);
    expect(accounts.map(({ name, overdraft, open }) => [name, overdraft, open])).toEqual([
      ['chain', true, false],
      ['debt', true, true],
      ['disputes', true, true],
      ['fees', false, true],
      ['promotions', true, true],
      ['refused', false, false],
      ['settlement', true, true],
      ['suspense', true, true],
    ]);
    expect(await codeOf(ledger.balances.getSystemBalances({ shard: '9' }, ledger.operator))).toBe('VALIDATION_FAILED');
  });

  it('give a rejected deposit back to the chain through the account that got it, which owes and has as much as before', async () => {
    const account = await rich();
    const { accountId } = account;
    const { id } = await ledger.see(account, 'EURe', '60');
    await ledger.resolve(id, DepositStatus.REJECTED);
    const before = await balances();
    const entryId = randomUUID();
    const settling = `${accountId}/settling`;
    const transfers = [
      { debit: 'refused', credit: settling, token: 'EURe', amount: '60' },
      { debit: settling, credit: 'chain', token: 'EURe', amount: '60' },
    ];
    const book = () => ledger.entries.createEntries({ entries: [{ entryId, transfers, forced: true }] }, ledger.operator);
    for (const code of ['CREATED', 'EXISTS']) expect(resultName((await book()).results[0]?.code)).toBe(code);
    const after = await balances();
    expect([(after['refused'] ?? 0) - (before['refused'] ?? 0), (after['chain'] ?? 0) - (before['chain'] ?? 0)]).toEqual([-60, 60]);
    expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '1000', settling: '0' });
    await ledger.verify();
  });

  it('that are not open, and entries between system accounts, take a scope of their own', async () => {
    const { accountId } = await rich();
    const plain = ledger.as(await ledger.authority.serviceToken('operator', 'ledger', [LEDGER_SCOPES.writeEntries]));
    const before = await ledger.verify();
    for (const [debit, credit] of [
      ['chain', accountId],
      ['refused', accountId],
      ['settlement', 'fees'],
    ] as const) {
      expect(await codeOf(create(debit, credit, '1', {}, plain))).toBe('FORBIDDEN');
    }
    expect(await ledger.verify()).toMatchObject({ entries: before.entries });
    expect((await create('settlement', accountId, '1', {}, plain)).code).toBe('CREATED');
  });

  it('of cards transfer to each other for whoever may write entries', async () => {
    const plain = ledger.as(await ledger.authority.serviceToken('operator', 'ledger', [LEDGER_SCOPES.writeEntries]));
    const before = await balances();
    expect((await create('settlement', 'disputes', '3', {}, plain)).code).toBe('CREATED');
    expect((await create('suspense', 'settlement', '2', {}, plain)).code).toBe('CREATED');
    const after = await balances();
    const change = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
    expect(['settlement', 'disputes', 'suspense'].map(change)).toEqual([-1, 3, -2]);
  });

  it('have entries that are found by their shard, and reversed', async () => {
    const { entryId } = await create('settlement', 'disputes', '3', { metadata: { actor: 'ops-1', reason: 'chargeback won' } });
    const { entry } = await ledger.entries.getEntry({ entryId }, ledger.operator);
    expect(entry).toMatchObject({ id: entryId, accountId: '', shard: '0', metadata: { actor: 'ops-1', reason: 'chargeback won' } });
    const { accountId } = await rich();
    expect(await codeOf(ledger.entries.getEntry({ accountId, entryId }, ledger.operator))).toBe('ENTRY_NOT_FOUND');
    const before = await balances();
    await ledger.entries.reverseEntry({ entryId, reversalId: randomUUID() }, ledger.operator);
    expect((await balances())['disputes']).toBe((before['disputes'] ?? 0) - 3);
  });
});

describe('entries of an account', () => {
  const list = (request: object) => ledger.entries.listTransfers(request, ledger.operator);

  it('are listed by kind and external reference, of users and of the system', async () => {
    const { accountId } = await rich();
    const externalReference = `case-${randomUUID()}`;
    const found = await create(accountId, 'fees', '1', { metadata: { externalReference } });
    await create(accountId, 'fees', '1', { metadata: { externalReference: `${externalReference}-2` } });
    await create(accountId, 'settlement', '1', { metadata: { externalReference } });
    const ids = async (request: object) => (await list(request)).entries.map(({ id }) => id);
    expect(await ids({ systemAccount: 'fees', externalReference })).toEqual([found.entryId]);
    expect(await ids({ accountId, externalReference })).toHaveLength(2);
    const deposits = await list({ accountId, kinds: [EntryKind.DEPOSIT] });
    expect(deposits.entries.map(({ kind }) => kind)).toEqual([EntryKind.DEPOSIT, EntryKind.DEPOSIT]);
    const { entries } = await list({ systemAccount: 'chain', kinds: [EntryKind.DEPOSIT], page: { limit: 1, cursor: '' } });
    expect(entries.map(({ accountId: owner }) => owner)).toEqual([accountId]);
  });

  it('of the system are listed page by page, each once, within a time', async () => {
    const { accountId } = await rich();
    clock.advanceSeconds(10);
    const from = timestampFromDate(clock.now());
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.push((await create(accountId, 'promotions', '1')).entryId);
    clock.advanceSeconds(10);
    const to = timestampFromDate(clock.now());
    await create(accountId, 'promotions', '1');
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list({ systemAccount: 'promotions', from, to, page: { limit: 3, cursor } });
      seen.push(...page.entries.map(({ id }) => id));
      cursor = page.page?.nextCursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(made.reverse());
  });

  it.each([
    ['both kinds of accounts', 'VALIDATION_FAILED', { accountId: randomUUID(), systemAccount: 'fees' }],
    ['no account', 'VALIDATION_FAILED', {}],
    ['an unknown system account', 'ACCOUNT_NOT_FOUND', { systemAccount: 'treasury' }],
    ['an unknown account', 'ACCOUNT_NOT_FOUND', { accountId: randomUUID() }],
    ['an unknown shard', 'VALIDATION_FAILED', { systemAccount: 'fees', shard: '8' }],
    ['a kind that is not set', 'VALIDATION_FAILED', { systemAccount: 'fees', kinds: [EntryKind.UNSPECIFIED] }],
    ['a kind that does not exist', 'VALIDATION_FAILED', { systemAccount: 'fees', kinds: [99] }],
    ['a reference that is too long', 'VALIDATION_FAILED', { systemAccount: 'fees', externalReference: 'x'.repeat(129) }],
  ])('are not listed for %s (%s)', async (_name, code, request) => {
    expect(await codeOf(list(request))).toBe(code);
  });
});

describe('a balance at a time', () => {
  const at = async (request: object, time: Date) => {
    const { balances: rows } = await ledger.balances.getBalanceAt({ ...request, at: timestampFromDate(time) }, ledger.operator);
    return Object.fromEntries(rows.map(({ token, balance }) => [token, balance]));
  };

  it('is the one that was booked by then, of users and of the system', async () => {
    const { accountId } = await rich('100');
    const before = await balances();
    const times: Date[] = [];
    for (const amount of ['1', '2', '4']) {
      clock.advanceSeconds(5);
      await create(accountId, 'fees', amount);
      times.push(clock.now());
    }
    clock.advanceSeconds(5);
    const fees = Number(before['fees'] ?? 0);
    const [one, two, three] = times;
    if (one === undefined || two === undefined || three === undefined) throw new Error('no times');
    expect(await at({ accountId }, new Date(one.getTime() - 1))).toEqual({ EURe: '100' });
    expect(await at({ accountId }, one)).toEqual({ EURe: '99' });
    expect(await at({ accountId }, new Date(three.getTime() - 1))).toEqual({ EURe: '97' });
    expect(await at({ accountId }, clock.now())).toEqual({ EURe: '93' });
    expect(await at({ accountId }, new Date(0))).toEqual({});
    expect((await at({ systemAccount: 'fees' }, two))['EURe']).toBe(String(fees + 3));
    expect((await at({ systemAccount: 'fees' }, three))['EURe']).toBe(String(fees + 7));
  });

  it('includes what is owed', async () => {
    const { accountId } = await rich('10');
    await create(accountId, 'settlement', '25', { forced: true });
    expect(await at({ accountId }, clock.now())).toEqual({ EURe: '-15' });
  });

  it.each([
    ['no time', 'VALIDATION_FAILED', { systemAccount: 'fees' }],
    ['the future', 'VALIDATION_FAILED', { systemAccount: 'fees', at: timestampFromDate(new Date(8.64e14)) }],
    ['no account', 'VALIDATION_FAILED', { at: timestampFromDate(new Date(0)) }],
    ['an unknown account', 'ACCOUNT_NOT_FOUND', { accountId: randomUUID(), at: timestampFromDate(new Date(0)) }],
    ['an unknown system account', 'ACCOUNT_NOT_FOUND', { systemAccount: 'x', at: timestampFromDate(new Date(0)) }],
  ])('is rejected with %s (%s)', async (_name, code, request) => {
    expect(await codeOf(ledger.balances.getBalanceAt(request, ledger.operator))).toBe(code);
  });
});
