import { expect, test } from 'vitest';
import { addressProblem, readAddress } from './address.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test.each([
  [ADDRESS, undefined],
  [ADDRESS.toLowerCase(), undefined],
  [ADDRESS.replace('5aAeb', '5aaeb'), 'withdraw.to_mistyped'],
  [ADDRESS.replace('6053', '6035'), 'withdraw.to_mistyped'],
  [ADDRESS.slice(0, -1), 'withdraw.to_wrong'],
  [`${ADDRESS}0`, 'withdraw.to_wrong'],
  [ADDRESS.slice(2), 'withdraw.to_wrong'],
  ['vitalik.eth', 'withdraw.to_wrong'],
  ['', 'withdraw.to_wrong'],
])('%j: %s', (text, problem) => {
  expect(addressProblem(text)).toBe(problem);
});

test('reads all capitals as small letters, because they carry no checksum, and leaves out spaces around it', () => {
  expect(readAddress(`0x${ADDRESS.slice(2).toUpperCase()}`)).toBe(ADDRESS.toLowerCase());
  expect(readAddress(` ${ADDRESS}\n`)).toBe(ADDRESS);
  const mistyped = ADDRESS.replace('6053', '6035');
  expect(readAddress(mistyped)).toBe(mistyped);
});
