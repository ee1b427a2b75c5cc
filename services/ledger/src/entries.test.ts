import { randomUUID } from 'node:crypto';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EntryKind, EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { shardOf } from '@florin/proto/ledger/v1/placement';
import { systemRuntime } from '@florin/rpc/runtime';
import { fakeClock } from '@florin/rpc/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment, resultName, startLedger, type TestLedger } from './testing/world.ts';

const clock = fakeClock();
const ledger = serveLedger(ledgerEnvironment(), { runtime: { ...systemRuntime, now: clock.now } });

type Leg = { debit: string; credit: string; token: string; amount: string };
type NewEntry = {
  entryId: string;
  transfers: Leg[];
  holdExpiresAt?: ReturnType<typeof timestampFromDate>;
  shard?: string;
  metadata?: { actor?: string; reason?: string; externalReference?: string; approvedBy?: string; labels?: Record<string, string> };
};

const leg = (debit: string, credit: string, amount = '1', token = 'EURe'): Leg => ({ debit, credit, token, amount });
const entry = (...transfers: Leg[]): NewEntry => ({ entryId: randomUUID(), transfers });
const later = () => timestampFromDate(new Date(Date.now() + 3_600_000));
const hold = (debit: string, amount = '1'): NewEntry => ({ ...entry(leg(debit, 'settlement', amount)), holdExpiresAt: later() });

const create = async (...entries: NewEntry[]) => {
  const { results } = await ledger.entries.createEntries({ entries }, ledger.operator);
  expect(results.map(({ entryId }) => entryId)).toEqual(entries.map(({ entryId }) => entryId));
  return results.map(({ code }) => resultName(code));
};
const spendable = async (account: Awaited<ReturnType<TestLedger['open']>>, token = 'EURe') =>
  (await ledger.tokenBalances(account))[token]?.spendable;

const rich = async (amount = '1000') => {
  const account = await ledger.open();
  await ledger.fund(account, 'EURe', amount);
  return account;
};

/** Accounts in every state that an entry can meet. */
const accountsInAllStates = async () => {
  const [active, blocked, closed, provisioning] = [await rich('10'), await rich('10'), await ledger.open(), await ledger.open(false)];
  await ledger.accounts.blockAccount({ accountId: blocked.accountId }, ledger.operator);
  await ledger.accounts.closeAccount({ accountId: closed.accountId }, ledger.operator);
  return {
    active: active.accountId,
    blocked: blocked.accountId,
    closed: closed.accountId,
    provisioning: provisioning.accountId,
    absent: randomUUID() as string,
    account: active,
  };
};

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

describe('entries on several shards', () => {
  it('belong to one shard each and verify', async () => {
    const sharded = await startLedger(ledgerEnvironment({ JOURNAL_SHARDS: '2' }));
    try {
      const opened = await Promise.all(Array.from({ length: 12 }, () => sharded.open()));
      const shardIn = (accountId: string) => shardOf(accountId, 2);
      const [one, other] = ['0', '1'].map((shard) => opened.find(({ accountId }) => shardIn(accountId) === shard));
      if (one === undefined || other === undefined) throw new Error('a dozen accounts on one shard');
      const id = randomUUID();
      const holdEnd = { holdExpiresAt: later() };
      const entries = [
        { entryId: id, transfers: [leg('settlement', one.accountId, '5')] },
        { entryId: id, transfers: [leg('settlement', other.accountId, '7')] },
        entry(leg(one.accountId, other.accountId)),
      ];
      const holdId = randomUUID();
      const holds = [one, other].map(({ accountId }) => ({ entryId: holdId, transfers: [leg(accountId, 'fees', '2')], ...holdEnd }));
      const ask = async (list: NewEntry[]) =>
        (await sharded.entries.createEntries({ entries: list }, sharded.operator)).results.map(({ code }) => resultName(code));
      expect(await ask(entries)).toEqual(['CREATED', 'CREATED', 'ACCOUNTS_IN_DIFFERENT_SHARDS']);
      expect(await ask(holds)).toEqual(['CREATED', 'CREATED']);
      await sharded.holds.voidHold({ accountId: one.accountId, holdId }, sharded.operator);
      await sharded.holds.postHold({ accountId: other.accountId, holdId }, sharded.operator);
      const amounts = await Promise.all(
        [one, other].map(async ({ accountId }) => {
          const found = await sharded.entries.getEntry({ accountId, entryId: id }, sharded.operator);
          return found.entry?.transfers[0]?.amount;
        }),
      );
      expect(amounts).toEqual(['5', '7']);
      expect((await sharded.tokenBalances(one))['EURe']?.spendable).toBe('5');
      expect((await sharded.tokenBalances(other))['EURe']?.spendable).toBe('5');
      expect(await sharded.verify()).toMatchObject({ ok: true, problem: '' });
    } finally {
      await sharded.close();
    }
  });
});

describe('bad entries', () => {
  let states: Awaited<ReturnType<typeof accountsInAllStates>>;
  beforeAll(async () => {
    states = await accountsInAllStates();
  });
  type States = typeof states;

  /** Of several reasons to reject an entry, the one with the lowest number in the contract is returned. */
  it.each<[string, string, (s: States) => NewEntry]>([
    ['no transfers', 'INVALID', () => entry()],
    ['an invalid id', 'INVALID', (s) => ({ entryId: 'x', transfers: [leg(s.active, 'fees', '0')] })],
    ['an empty id', 'INVALID', (s) => ({ entryId: '', transfers: [leg(s.active, 'fees')] })],
    ['more than 100 transfers', 'INVALID', (s) => entry(...Array.from({ length: 101 }, () => leg(s.active, 'fees')))],
    ['no account and an unknown shard', 'INVALID', () => ({ ...entry(leg('settlement', 'fees')), shard: '7' })],
    ['an account and a shard', 'INVALID', (s) => ({ ...entry(leg(s.active, 'fees')), shard: '0' })],
    ['a side that is no account', 'INVALID', (s) => entry(leg(s.active, 'treasury'))],
    ['held money', 'INVALID', (s) => entry(leg(`${s.active}/held`, 'fees'))],
    ['debt', 'INVALID', (s) => entry(leg(`${s.active}/debt`, 'fees'))],
    ['settling money of an unknown account', 'INVALID', (s) => entry(leg(s.active, 'x/settling'))],
    ['an actor that is too long', 'INVALID', (s) => ({ ...entry(leg(s.active, 'fees')), metadata: { actor: 'x'.repeat(129) } })],
    ['a reason that is too long', 'INVALID', (s) => ({ ...entry(leg(s.active, 'fees')), metadata: { reason: 'x'.repeat(513) } })],
    [
      'a reference that is too long',
      'INVALID',
      (s) => ({ ...entry(leg(s.active, 'fees')), metadata: { externalReference: 'x'.repeat(129) } }),
    ],
    ['an approval of its own', 'INVALID', (s) => ({ ...entry(leg(s.active, 'fees')), metadata: { approvedBy: 'eve' } })],
    [
      'more than a kibibyte of labels',
      'INVALID',
      (s) => ({ ...entry(leg(s.active, 'fees')), metadata: { labels: { k: 'x'.repeat(1024) } } }),
    ],
    ['a malformed label', 'INVALID', (s) => ({ ...entry(leg(s.active, 'fees')), metadata: { labels: { 'K ': 'x' } } })],
    [
      'too many labels',
      'INVALID',
      (s) => ({
        ...entry(leg(s.active, 'fees')),
        metadata: { labels: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, ''])) },
      }),
    ],
    ['both sides the same', 'INVALID', (s) => entry(leg(s.active, s.active))],
    ['both sides the same but for case', 'INVALID', (s) => entry(leg(s.active, s.active.toUpperCase()))],
    ['a hold with a receiver twice', 'INVALID', (s) => ({ ...hold(s.active), transfers: [leg(s.active, 'fees'), leg(s.active, 'fees')] })],
    [
      'a hold in two tokens',
      'INVALID',
      (s) => ({ ...hold(s.active), transfers: [leg(s.active, 'fees'), leg(s.active, 'settlement', '1', 'GBPe')] }),
    ],
    ['a hold of two accounts', 'INVALID', (s) => ({ ...hold(s.active), transfers: [leg(s.active, 'fees'), leg(s.blocked, 'settlement')] })],
    ['a hold for its own account', 'INVALID', (s) => ({ ...hold(s.active), transfers: [leg(s.active, s.active)] })],
    [
      "a hold for another account's settling money",
      'INVALID',
      (s) => ({ ...hold(s.active), transfers: [leg(s.active, `${s.blocked}/settling`)] }),
    ],
    ['a hold for an account', 'INVALID', (s) => ({ ...hold(s.active), transfers: [leg(s.active, s.provisioning)] })],
    ['a hold of system money', 'INVALID', (s) => ({ ...hold(s.active), transfers: [leg('fees', s.active)] })],
    ['an end of a hold beyond all time', 'INVALID', (s) => ({ ...hold(s.active), holdExpiresAt: { ...later(), seconds: 10n ** 15n } })],
    ...['', '0', '-1', '+1', '1.5', '01', '1e3', '0x10', ' 1', '1n', 'ten', '9'.repeat(61)].map(
      (amount): [string, string, (s: States) => NewEntry] => [
        `the amount ${JSON.stringify(amount.slice(0, 8))}`,
        'AMOUNT_INVALID',
        (s) => entry(leg(s.active, 'fees', amount, 'NONE')),
      ],
    ),
    ['one bad amount of two', 'AMOUNT_INVALID', (s) => entry(leg(s.active, 'fees'), leg(s.active, 'fees', '0'))],
    ['an unknown token', 'TOKEN_NOT_SUPPORTED', (s) => entry(leg(s.absent, 'fees', '1', 'DOGE'))],
    ['a token in another spelling', 'TOKEN_NOT_SUPPORTED', (s) => entry(leg(s.active, 'fees', '1', 'eure'))],
    ['an account that was never opened', 'ACCOUNT_NOT_FOUND', (s) => entry(leg(s.blocked, s.absent, '99'), leg(s.closed, 'fees'))],
    ['a closed account', 'ACCOUNT_CLOSED', (s) => entry(leg(s.provisioning, s.closed), leg(s.blocked, 'fees', '99'))],
    ['a payer that is not active', 'ACCOUNT_NOT_ACTIVE', (s) => entry(leg(s.blocked, 'fees', '99'), leg(s.provisioning, 'fees'))],
    ['a payer that is blocked', 'ACCOUNT_BLOCKED', (s) => entry(leg(s.active, 'fees', '99'), leg(s.blocked, 'fees'))],
    [
      'a hold that begins after its end',
      'HOLD_EXPIRED',
      (s) => ({ ...hold(s.active, '99'), holdExpiresAt: timestampFromDate(new Date(1000)) }),
    ],
    [
      'such a hold of a blocked account',
      'ACCOUNT_BLOCKED',
      (s) => ({ ...hold(s.blocked), holdExpiresAt: timestampFromDate(new Date(1000)) }),
    ],
    ['too much', 'INSUFFICIENT_FUNDS', (s) => entry(leg(s.active, 'fees', '11'))],
    ['the largest amount', 'INSUFFICIENT_FUNDS', (s) => entry(leg(s.active, 'fees', '9'.repeat(60)))],
    ['too much on the way', 'INSUFFICIENT_FUNDS', (s) => entry(leg(s.active, 'settlement', '11'), leg('settlement', s.active, '5'))],
    ['too much in the second step', 'INSUFFICIENT_FUNDS', (s) => entry(leg(s.active, 'settlement', '6'), leg(s.active, 'settlement', '6'))],
    ['another token than there is', 'INSUFFICIENT_FUNDS', (s) => entry(leg(s.active, 'fees', '1', 'USDC.e'))],
    ['a hold of too much', 'INSUFFICIENT_FUNDS', (s) => hold(s.active, '11')],
  ])('with %s return %s and write nothing', async (_name, code, bad) => {
    const before = await ledger.verify();
    const order = bad(states);
    expect(await create(order)).toEqual([code]);
    // Not even in a batch: neither before it nor after it does anything stop.
    expect(await create(order, order)).toEqual([code, code]);
    const after = await ledger.verify();
    expect([after.ok, after.blocks, after.entries]).toEqual([true, before.blocks, before.entries]);
    expect(await spendable(states.account)).toBe('10');
  });

  it('with a known id return the known result even if their accounts are invalid', async () => {
    const ada = await rich('1');
    const one = entry(leg(ada.accountId, 'fees'));
    expect(await create(one)).toEqual(['CREATED']);
    await ledger.accounts.closeAccount({ accountId: ada.accountId }, ledger.operator);
    expect(await create(one, { ...one, transfers: [leg(ada.accountId, 'fees', '2')] })).toEqual([
      'EXISTS',
      'EXISTS_WITH_DIFFERENT_CONTENT',
    ]);
    expect(await create({ ...one, transfers: [leg(ada.accountId, 'fees', '0')] })).toEqual(['AMOUNT_INVALID']);
  });
});

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
