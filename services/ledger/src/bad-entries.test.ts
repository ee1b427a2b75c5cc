import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from './testing/audit-database.ts';
import { entry, entryCalls, later, leg, type NewEntry } from './testing/entry-calls.ts';
import { serveLedger } from './testing/served-ledger.ts';
import { ledgerEnvironment } from './testing/world.ts';

const environment = ledgerEnvironment();
const ledger = serveLedger(environment);
const { create, spendable, rich } = entryCalls(ledger);
const hold = (debit: string, amount = '1'): NewEntry => ({ ...entry(leg(debit, 'settlement', amount)), holdExpiresAt: later() });

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

describe('bad entries', () => {
  let states: Awaited<ReturnType<typeof accountsInAllStates>>;
  let before: Awaited<ReturnType<typeof ledger.verify>>;
  let database: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    states = await accountsInAllStates();
    before = await ledger.verify();
    database = await openDatabase(environment);
  });
  afterAll(async () => {
    await database?.close();
    expect(await ledger.verify()).toMatchObject({ ok: true, blocks: before.blocks, entries: before.entries });
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
    const order = bad(states);
    expect(await create(order)).toEqual([code]);
    // Not even in a batch: neither before it nor after it does anything stop.
    expect(await create(order, order)).toEqual([code, code]);
    expect(await database.collection('blocks').countDocuments()).toBe(Number(before.blocks));
    expect(await spendable(states.account)).toBe('10');
  });
});

describe('an entry with a known id', () => {
  it('has the known result even if its accounts are invalid', async () => {
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
