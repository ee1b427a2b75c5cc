import { randomUUID } from 'node:crypto';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EntryKind } from '@florin/proto/ledger/v1/entry';
import { systemRuntime } from '@florin/rpc/runtime';
import { fakeClock } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import { entry, entryCalls, leg } from './testing/entry-calls.ts';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment } from './testing/world.ts';

const clock = fakeClock();
const ledger = serveLedger(ledgerEnvironment(), { runtime: { ...systemRuntime, now: clock.now } });
const { create, rich } = entryCalls(ledger);

describe('a written entry', () => {
  const get = (accountId: string, entryId: string) => ledger.entries.getEntry({ accountId, entryId }, ledger.operator);

  it('is found by its id and by each of its accounts only', async () => {
    const [ada, ben, eve] = [await rich('10'), await ledger.open(), await rich('10')];
    const one = entry(leg(ada.accountId, ben.accountId, '3'), leg(ben.accountId, 'fees', '1'));
    await create(one);
    const { entry: found } = await get(ada.accountId, one.entryId);
    expect(found).toMatchObject({
      id: one.entryId,
      kind: EntryKind.TRANSFER,
      accountId: ada.accountId,
      transfers: [
        { debit: `${ada.accountId}/available`, credit: `${ben.accountId}/available`, token: 'EURe', amount: '3' },
        { debit: `${ben.accountId}/available`, credit: 'fees', token: 'EURe', amount: '1' },
      ],
    });
    expect((await get(ben.accountId, one.entryId)).entry).toEqual(found);
    expect(await codeOf(get(eve.accountId, one.entryId))).toBe('ENTRY_NOT_FOUND');
    expect(await codeOf(get(randomUUID(), one.entryId))).toBe('ENTRY_NOT_FOUND');
    expect(await codeOf(get(ada.accountId, randomUUID()))).toBe('ENTRY_NOT_FOUND');
    expect(await codeOf(get('x', one.entryId))).toBe('VALIDATION_FAILED');
    expect(await codeOf(get(ada.accountId, ''))).toBe('VALIDATION_FAILED');
  });

  const list = (accountId: string, more: { limit?: number; cursor?: string; from?: Date; to?: Date } = {}) =>
    ledger.entries.listTransfers(
      {
        accountId,
        page: { limit: more.limit ?? 0, cursor: more.cursor ?? '' },
        ...(more.from === undefined ? {} : { from: timestampFromDate(more.from) }),
        ...(more.to === undefined ? {} : { to: timestampFromDate(more.to) }),
      },
      ledger.operator,
    );

  it('is listed newest first, in pages that new entries do not shift', async () => {
    const [ada, ben] = [await rich('100'), await ledger.open()];
    const orders = Array.from({ length: 7 }, (_, index) => entry(leg(ada.accountId, ben.accountId, (index + 1).toString())));
    for (const order of orders) await create(order);
    const expected = orders.map(({ entryId }) => entryId).reverse();
    const seen: string[] = [];
    let cursor = '';
    do {
      const { entries, page } = await list(ben.accountId, { limit: 3, cursor });
      expect(entries.length).toBeLessThanOrEqual(3);
      seen.push(...entries.map(({ id }) => id));
      cursor = page?.nextCursor ?? '';
      await create(entry(leg(ada.accountId, ben.accountId)));
    } while (cursor !== '');
    expect(seen).toEqual(expected);
    expect(await codeOf(list(ben.accountId, { cursor: 'x' }))).toBe('VALIDATION_FAILED');
    expect(await codeOf(list('x'))).toBe('VALIDATION_FAILED');
    expect(await codeOf(list(randomUUID()))).toBe('ACCOUNT_NOT_FOUND');
  });

  it('is listed by time range', async () => {
    const ada = await rich('100');
    const [first, second] = [entry(leg(ada.accountId, 'fees')), entry(leg(ada.accountId, 'fees'))];
    clock.advanceSeconds(1);
    const at = clock.now();
    await create(first);
    clock.advanceSeconds(1);
    await create(second);
    const { entry: found } = await get(ada.accountId, first.entryId);
    expect(found?.createdAt && timestampDate(found.createdAt)).toEqual(at);
    const ids = async (range: { from?: Date; to?: Date }) => (await list(ada.accountId, range)).entries.map(({ id }) => id);
    const after = new Date(at.getTime() + 1);
    expect(await ids({ from: at, to: after })).toContain(first.entryId);
    expect(await ids({ from: at, to: after })).not.toContain(second.entryId);
    expect(await ids({ from: after })).toContain(second.entryId);
    expect(await ids({ from: after })).not.toContain(first.entryId);
    expect(await ids({ to: at })).not.toContain(first.entryId);
    expect(await codeOf(ids({ from: after, to: at }))).toBe('VALIDATION_FAILED');
  });

  it('is not listed with an invalid time', async () => {
    const ada = await ledger.open();
    const beyond = { seconds: 10n ** 15n, nanos: 0 };
    expect(
      await codeOf(
        ledger.entries.listTransfers(
          { accountId: ada.accountId, from: { $typeName: 'google.protobuf.Timestamp', ...beyond } },
          ledger.operator,
        ),
      ),
    ).toBe('VALIDATION_FAILED');
  });
});
