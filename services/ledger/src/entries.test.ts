import { randomUUID } from 'node:crypto';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { describe, expect, it } from 'vitest';
import { entry, entryCalls, leg } from './testing/entry-calls.ts';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf } from './testing/world.ts';

const ledger = serveLedger();
const { create, spendable, rich } = entryCalls(ledger);

describe('entries', () => {
  it('move money between accounts and the open system accounts, linked transfers together', async () => {
    const [ada, ben] = [await rich('100'), await ledger.open()];
    expect(
      await create(
        entry(leg(ada.accountId, ben.accountId, '30'), leg(ben.accountId, 'fees', '5'), leg(ada.accountId, 'settlement', '20')),
        entry(leg('settlement', ada.accountId, '1'), leg('fees', ben.accountId, '2')),
      ),
    ).toEqual(['CREATED', 'CREATED']);
    expect([await spendable(ada), await spendable(ben)]).toEqual(['51', '27']);
  });

  it('are judged in their order, within one call as well', async () => {
    const [ada, ben] = [await rich('10'), await ledger.open()];
    const there = entry(leg(ada.accountId, ben.accountId, '10'));
    const back = entry(leg(ben.accountId, ada.accountId, '10'));
    const once = entry(leg(ada.accountId, 'fees', '10'));
    const more = { ...once, transfers: [leg(ada.accountId, 'fees', '9')] };
    expect(await create(back, there, back, there, once, once, more, entry(leg(ada.accountId, 'fees')))).toEqual([
      'INSUFFICIENT_FUNDS',
      'CREATED',
      'CREATED',
      'EXISTS',
      'CREATED',
      'EXISTS',
      'EXISTS_WITH_DIFFERENT_CONTENT',
      'INSUFFICIENT_FUNDS',
    ]);
    expect([await spendable(ada), await spendable(ben)]).toEqual(['0', '0']);
  });

  it('with one id are appended once when concurrent requests repeat or contradict each other', async () => {
    const ada = await rich('1000');
    const one = entry(leg(ada.accountId, 'fees', '10'));
    const other = { ...one, transfers: [leg(ada.accountId, 'fees', '11')] };
    const calls = Array.from({ length: 20 }, (_, index) => create(index % 2 === 0 ? one : other));
    const codes = (await Promise.all(calls)).flat();
    expect(codes.filter((code) => code === 'CREATED')).toHaveLength(1);
    const isOne = codes.indexOf('CREATED') % 2 === 0;
    codes.forEach((code, index) => {
      if (code !== 'CREATED') expect(code).toBe((index % 2 === 0) === isOne ? 'EXISTS' : 'EXISTS_WITH_DIFFERENT_CONTENT');
    });
    expect(await spendable(ada)).toBe(isOne ? '990' : '989');
  });

  it('ignore the case of ids', async () => {
    const ada = await rich('10');
    const one = entry(leg(ada.accountId, 'fees'));
    expect(await create(one, { entryId: one.entryId, transfers: [leg(ada.accountId.toUpperCase(), 'fees')] })).toEqual([
      'CREATED',
      'EXISTS',
    ]);
    const upper = await ledger.entries.createEntries({ entries: [{ ...one, entryId: one.entryId.toUpperCase() }] }, ledger.operator);
    expect(upper.results[0]?.code).toBe(EntryResultCode.EXISTS);
  });

  it('are limited to a thousand per call', async () => {
    const ada = await rich('1000');
    const thousand = Array.from({ length: 1000 }, () => entry(leg(ada.accountId, 'fees')));
    expect(new Set(await create(...thousand))).toEqual(new Set(['CREATED']));
    expect(new Set(await create(...thousand))).toEqual(new Set(['EXISTS']));
    expect(await spendable(ada)).toBe('0');
    expect(await codeOf(create(...thousand, entry(leg(ada.accountId, 'fees'))))).toBe('VALIDATION_FAILED');
    expect(await codeOf(create())).toBe('VALIDATION_FAILED');
  });

  it('that race with the blocking of an account precede it or are rejected', async () => {
    const ada = await rich('1000');
    const payments = Array.from({ length: 12 }, () => create(entry(leg(ada.accountId, 'fees'))));
    const blocking = ledger.accounts.blockAccount({ accountId: ada.accountId }, ledger.operator);
    const codes = (await Promise.all(payments)).flat();
    await blocking;
    expect(codes.filter((code) => code !== 'CREATED' && code !== 'ACCOUNT_BLOCKED')).toEqual([]);
    expect(await create(entry(leg(ada.accountId, 'fees')), entry(leg('settlement', ada.accountId)))).toEqual([
      'ACCOUNT_BLOCKED',
      'CREATED',
    ]);
    await ledger.accounts.unblockAccount({ accountId: ada.accountId }, ledger.operator);
    expect(await spendable(ada)).toBe((1001 - codes.filter((code) => code === 'CREATED').length).toString());
  });
});

describe('scopes', () => {
  it('separate reading from writing', async () => {
    const ada = await rich('10');
    const withScope = async (scope: string) => ledger.as(await ledger.authority.serviceToken('operator', 'ledger', [scope]));
    const [reader, writer] = [await withScope('ledger.entries.read'), await withScope('ledger.entries.write')];
    const entries = [entry(leg(ada.accountId, 'fees'))];
    const holdId = randomUUID();
    expect(await codeOf(ledger.entries.createEntries({ entries }, reader))).toBe('FORBIDDEN');
    expect(await codeOf(ledger.holds.postHold({ accountId: ada.accountId, holdId }, reader))).toBe('FORBIDDEN');
    expect(await codeOf(ledger.holds.voidHold({ accountId: ada.accountId, holdId }, reader))).toBe('FORBIDDEN');
    expect(await codeOf(ledger.entries.getEntry({ accountId: ada.accountId, entryId: holdId }, writer))).toBe('FORBIDDEN');
    expect(await codeOf(ledger.entries.listTransfers({ accountId: ada.accountId }, writer))).toBe('FORBIDDEN');
    expect((await ledger.entries.createEntries({ entries }, writer)).results[0]?.code).toBe(EntryResultCode.CREATED);
    expect((await ledger.entries.listTransfers({ accountId: ada.accountId }, reader)).entries[0]?.id).toBe(entries[0]?.entryId);
  });
});
