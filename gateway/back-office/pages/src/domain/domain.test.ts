import type { Queue } from '@florin/back-office/contract';
import { kept } from '@florin/ui/page/kept.ts';
import { expect, test } from 'vitest';
import { auditCsv } from './audit-csv.ts';
import { balancesAfter } from './balance-after.ts';
import { guessKind } from './guess-kind.ts';
import { isOverruled } from './is-overruled.ts';
import { readLedgerAccount } from './ledger-account.ts';
import { placeOf } from './match-place.ts';
import { periodOf } from './period.ts';
import { publicKeyOf } from './public-key.ts';
import { placeOfItem } from './queue-view.ts';
import { dropView, readViews, saveView } from './queue-views.ts';
import { isReason } from './reason.ts';
import { toneOf } from './state-tone.ts';

test.each([
  ['ada@example.org', 'email'],
  [' 0x52908400098527886E0F7030069857D2E4169EE7 ', 'wallet'],
  [`0x${'aB'.repeat(32)}`, 'transaction'],
  [`0x${'aB'.repeat(31)}`, 'reference'],
  ['4821', 'last4'],
  ['0199F0AA-1c2d-7e3f-8a4b-5c6d7e8f9a0b', 'reference'],
  ['FLR-20-AB', 'reference'],
  ['48213', 'reference'],
])('takes %j for %s', (typed, kind) => {
  expect(guessKind(typed)).toBe(kind);
});

test('leads to what was found', () => {
  const id = '0199f0aa-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
  const places = (['payment', 'challenge', 'card', 'deposit', 'withdrawal', 'person', 'account', 'exception'] as const).map((kind) => {
    const { to, ...more } = placeOf('u1', { kind, id });
    return [to, 'search' in more ? more.search : {}, Object.values(more.params).includes(id)];
  });
  expect(places).toEqual([
    ['/people/$userId/payments/$paymentId', {}, true],
    ['/people/$userId/challenges/$challengeId', {}, true],
    ['/people/$userId/cards', {}, false],
    ['/people/$userId/movements', { deposit: id }, false],
    ['/people/$userId/movements', { withdrawal: id }, false],
    ...Array.from({ length: 3 }, () => ['/people/$userId', {}, false]),
  ]);
});

test('leads from an item of a queue to its row in the list where it is decided', () => {
  const id = '0199f0aa-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
  const placeIn = (queue: Queue, kind = '') => {
    const { to, ...more } = placeOfItem(queue, { id, kind });
    return [to, 'search' in more ? more.search : {}];
  };
  expect([placeIn('orders', 'transfer'), placeIn('orders', 'halt'), placeIn('transfers')]).toEqual([
    ['/money', { item: id }],
    ['/chain', { halt: id }],
    ['/chain', { item: id }],
  ]);
  for (const queue of ['exceptions', 'settlement'] as const) expect(placeIn(queue)).toEqual(['/exceptions', { item: id }]);
});

test('says that a screening was overruled only where its result stands against the decision', () => {
  const screened = (status: string, result: string) => ({ status, screening: { result, riskScore: 1, riskTier: '' } });
  const overruled = [screened('approved', 'reject'), screened('reversed', 'reject'), screened('rejected', 'approve')];
  const others = [{ status: 'approved' }, { status: 'rejected' }, screened('approved', 'hold'), screened('rejected', 'hold')];
  const agreed = [screened('approved', 'approve'), screened('rejected', 'reject'), screened('pending', 'reject')];
  expect([overruled, others, agreed].map((some) => some.map(isOverruled))).toEqual([
    overruled.map(() => true),
    others.map(() => false),
    agreed.map(() => false),
  ]);
});

test('reads the names of ledger accounts', () => {
  const owner = '0199f0aa-1c2d-7e3f-8a4b-5c6d7e8f9a0b';
  expect([`${owner}/held`, owner, 'chain'].map(readLedgerAccount)).toEqual([{ owner, bucket: 'held' }, { owner }, { system: 'chain' }]);
});

test('wants a reason that says something', () => {
  expect([isReason('  too short '), isReason('called us, ticket 12'), isReason('x'.repeat(501))]).toEqual([false, true, false]);
});

test('shows what works, what waits and what went wrong', () => {
  expect(['active', 'in-review', 'blocked', 'unheard-of'].map(toneOf)).toEqual(['good', 'warn', 'bad', 'plain']);
});

test('writes the audit log so that a spreadsheet computes nothing', () => {
  const call = {
    sequence: 1,
    at: '2026-11-22T10:00:00.000Z',
    hash: 'aa',
    operatorId: 'o1',
    operation: 'cards.freeze',
    reason: '=1+1, said "Ada"',
    requestId: 'r1',
    subjects: { cardId: 'c1' },
  };
  const ended = { ...call, sequence: 2, outcome: { code: 'OK', at: '2026-11-22T10:00:01.000Z' } };
  const [, first, second] = auditCsv([call, ended]).split('\r\n');
  expect(first).toBe(`"1","2026-11-22T10:00:00.000Z","o1","","cards.freeze","'=1+1, said ""Ada""","cardId=c1","","","r1","aa"`);
  expect(second).toContain('"cardId=c1","OK","2026-11-22T10:00:01.000Z","r1"');
});

test('takes days from the start of the first to the end of the last', () => {
  expect(periodOf('', '')).toEqual({ from: '', to: '' });
  const { from, to } = periodOf('2026-02-28', '2026-02-28');
  expect([new Date(from), new Date(to)]).toEqual([new Date(2026, 1, 28), new Date(2026, 2, 1)]);
});

test('says what an order makes of a balance, in the scale of the currency', () => {
  const account = {
    id: 'a',
    userId: 'u',
    reference: 'RF',
    status: 'active',
    balances: [
      { currency: 'EUR', decimals: 2, spendable: '50000' },
      { currency: 'USD', decimals: 2, spendable: '0' },
    ],
  };
  const move = { debit: 'settlement', credit: 'a', amount: `250${'0'.repeat(18)}`, decimals: 18, currency: 'EUR' };
  expect(balancesAfter(account, [move])).toEqual([{ currency: 'EUR', decimals: 2, before: '50000', after: '75000' }]);
  expect(balancesAfter(account, [{ ...move, debit: 'a', credit: 'fees' }])).toMatchObject([{ after: '25000' }]);
  expect(balancesAfter(account, [{ ...move, credit: 'fees' }])).toEqual([]);
});

test('takes the public half of an Ed25519 key in the forms in which partners send it, and nothing of a private one', () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  const pem = '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n';
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  for (const typed of [x, ` ${x}\n`, pem, JSON.stringify(jwk)]) expect(publicKeyOf(typed)).toBe(x);
  const wrong = [{ ...jwk, d: x }, { ...jwk, crv: 'X25519' }, { ...jwk, x: 1 }, null].map((one) => JSON.stringify(one));
  for (const typed of ['', 'key', ...wrong, pem.replaceAll('PUBLIC', 'PRIVATE')]) expect(publicKeyOf(typed)).toBeUndefined();
});

test('keeps the named filters of each operator apart, the latest of a name, and reads nothing else', () => {
  const view = { queue: 'deposits', filter: 'overdue', sort: 'amount', name: 'Large & late' } as const;
  expect(saveView('o1', view)).toEqual([view]);
  saveView('o1', { ...view, queue: 'disputes' });
  const changed = saveView('o1', { ...view, sort: 'due' });
  expect(changed).toEqual([
    { ...view, queue: 'disputes' },
    { ...view, sort: 'due' },
  ]);
  expect([readViews('o1'), readViews('o2')]).toEqual([changed, []]);
  expect(dropView('o1', 'disputes', view.name)).toEqual([{ ...view, sort: 'due' }]);
  kept.keep('florin-office-views-o2', 'nonsense\nqueue=nowhere&name=x\nqueue=orders&name=Mine&filter=mine&sort=none');
  expect(readViews('o2')).toEqual([{ queue: 'orders', name: 'Mine', filter: 'mine', sort: 'due' }]);
});
