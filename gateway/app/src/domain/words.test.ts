import { expect, test } from 'vitest';
import { initialsOf } from './avatar.ts';
import { isTooLong } from './card-name.ts';
import { goneCards, liveCards } from './cards.ts';
import { depositCodes } from './deposit-codes.ts';
import { usedShare } from './limits.ts';
import { toE164 } from './phone.ts';
import { parseNames, recipientsOf } from './recipients.ts';
import { touchedBy } from './touched-by.ts';

test.each([
  ['Bookshop', 'BO'],
  ['Green Grocer', 'GG'],
  ['Cinema Lumière', 'CL'],
  ['*7 Éclair*', '7É'],
  ['', ''],
])('shortens %j to %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test.each([
  ['a'.repeat(26), false],
  [` ${'a'.repeat(26)} `, false],
  ['a'.repeat(27), true],
  ['e\u0301'.repeat(26), false],
  ['🛒'.repeat(26), false],
  ['Everyday spending for the two of us', true],
])('knows whether the card name %j is too long', (name, isLong) => {
  expect(isTooLong(name)).toBe(isLong);
});

test.each([
  ['+49 151 12345678', '+4915112345678'],
  ['+49 (0)151/123-45678', '+4915112345678'],
  ['0049 151 12345678', '+4915112345678'],
])('reads the phone number %j', (typed, number) => {
  expect(toE164(typed)).toBe(number);
});

test('offers the addresses of completed withdrawals, the latest first, each once, and not the own wallet', () => {
  const sent = (to: string | undefined, status = 'completed') => ({ to, status, processingAt: '2026-11-29T08:00:00Z' });
  const addresses = ['0xa', '0xb', '0xc', '0xd', '0xe', '0xf'];
  const leftTheSafe = { to: '0xe', status: 'completed' };
  expect(
    recipientsOf(
      [leftTheSafe, sent('0xb'), sent('0xf', 'failed'), sent(undefined), sent('0xown'), sent('0xa'), sent('0xb')],
      new Map(),
      '0xown',
    ),
  ).toEqual(['0xb', '0xa']);
  expect(
    recipientsOf(
      addresses.map((to) => sent(to)),
      new Map(),
      undefined,
    ),
  ).toEqual(addresses.slice(0, 5));
  const names = parseNames('{"0xf":"Zoe","0xb":"Ada","0xold":"Bob","0xown":"Me"}');
  expect(recipientsOf([sent('0xa'), sent('0xB')], names, '0xOwn')).toEqual(['0xB', '0xold', '0xf', '0xa']);
});

test.each([
  [undefined, {}],
  ['{"0xa":"Ada"}', { '0xa': 'Ada' }],
  ['{"0xa":"","0xb":7,"0xc":"Bob"}', { '0xc': 'Bob' }],
  ['{"0xa":', {}],
  ['null', {}],
])('reads the names of recipients from %j', (text, names) => {
  expect(parseNames(text)).toEqual(new Map(Object.entries(names)));
});

test('shows how much of a limit is used, up to all of it', () => {
  const share = (used: string, amount: string) => usedShare({ used, amount });
  expect([share('0', '100'), share('33', '100'), share('150', '100'), share('0', '0')]).toEqual([0, 0.33, 1, 1]);
});

test('parts cards that work from those that are gone', () => {
  const cards = ['active', 'lost', 'frozen', 'expired'].map((status) => ({ status }));
  expect(liveCards(cards).map(({ status }) => status)).toEqual(['active', 'frozen']);
  expect(goneCards(cards).map(({ status }) => status)).toEqual(['lost', 'expired']);
});

test('reads anew what an event has touched, and nothing for unknown ones', () => {
  expect(touchedBy('payment.cleared')).toContain('balances');
  expect(touchedBy('user.signed_in_elsewhere')).toContain('sessions');
  expect(touchedBy('card_data.viewed')).toEqual(['access-log']);
  expect([touchedBy('comet.seen'), touchedBy('checkpoint'), touchedBy('')]).toEqual([[], [], []]);
});

test('shows the address alone first, and then requests for each token that has a contract', () => {
  const [contract, address] = ['0x420CA0f9B9b604cE0fd9C18EF134C705e5Fa3430', '0x0000000000000000000000000000000000000001'];
  const tokens = [{ token: 'EURe', contract }, { token: 'GBPe' }];
  expect(depositCodes({ address, chainId: '100', tokens })).toEqual([
    { text: address },
    { token: 'EURe', text: `ethereum:${contract}@100/transfer?address=${address}` },
  ]);
});
