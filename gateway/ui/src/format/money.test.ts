import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney, formatToken, minorDigits, negate, parseMoney, toDecimal, toTyped } from './money.ts';

/** Spaces of number formats that do not break. */
const plain = (text: string): string => text.replace(/\s/g, ' ');

test.each([
  ['1250', 2, 'EUR', 'de-DE', '12,50 €'],
  ['1250', 2, 'EUR', 'en-GB', '€12.50'],
  ['-123456789', 2, 'EUR', 'de-DE', '−1.234.567,89 €'],
  ['5', 2, 'EUR', 'en-GB', '€0.05'],
  ['0', 2, 'EUR', 'en-GB', '€0.00'],
  ['100000000000000000000', 18, 'EUR', 'en-GB', '€100.00'],
  ['1999999999999999999', 18, 'EUR', 'en-GB', '€1.99'],
  ['500', 0, 'JPY', 'en-GB', 'JP¥500'],
  // A token in the place of its currency.
  ['-1234500000000000000001', 18, 'EURe', 'de-DE', '−1.234,500000000000000001 EURe'],
  ['0', 0, '', 'en-GB', '0'],
])('formats %s with %i decimals of %s for %s as %s', (amount, decimals, currency, locale, text) => {
  expect(plain(formatMoney({ amount, decimals, currency }, locale))).toBe(text);
});

test.each([
  ['750000000000000000000', 18, 'DAI', 'en-GB', '750 DAI'],
  ['1234500000', 6, 'USDC.e', 'de-DE', '1.234,5 USDC.e'],
  ['1', 18, 'EURe', 'en-GB', '0.000000000000000001 EURe'],
])('formats %s of a token with %i decimals, %s, for %s as %s', (amount, decimals, token, locale, text) => {
  expect(plain(formatToken(amount, decimals, token, locale))).toBe(text);
});

test('writes the sign of credits where it matters, and none for nothing', () => {
  const of = (amount: string) => plain(formatMoney({ amount, decimals: 2, currency: 'EUR' }, 'en-GB', 'exceptZero'));
  expect([of('500'), of('-500'), of('0')]).toEqual(['+€5.00', '−€5.00', '€0.00']);
});

test('formats amounts exactly that a floating-point number cannot hold', () => {
  expect(formatMoney({ amount: '900719925474099399', decimals: 2, currency: 'EUR' }, 'en-GB')).toBe('€9,007,199,254,740,993.99');
});

test.each([
  ['12.50', 'en-GB', '1250'],
  ['12,50', 'de-DE', '1250'],
  ['12.50', 'de-DE', '1250'],
  ['1.234,5', 'de-DE', '123450'],
  ['1,234.50', 'en-GB', '123450'],
  ['1.234', 'de-DE', '123400'],
  ['007', 'en-GB', '700'],
  ['.5', 'en-GB', undefined],
  ['0', 'en-GB', undefined],
  ['0,00', 'de-DE', undefined],
  ['12,345', 'de-DE', undefined],
  ['12,34,5', 'en-GB', undefined],
  ['-5', 'en-GB', undefined],
  ['abc', 'en-GB', undefined],
  ['', 'en-GB', undefined],
])('reads %j of a reader of %s as %s', (typed, locale, amount) => {
  expect(parseMoney(typed, 2, locale)).toBe(amount);
});

test('reads back what it writes, in every language', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.constantFrom('en-GB', 'de-DE', 'de-AT', 'de-CH', 'en-US', 'en-IN', 'fr-FR'),
      (amount, locale) => {
        expect(parseMoney(toTyped(String(amount), 2, locale), 2, locale)).toBe(String(amount));
      },
    ),
  );
});

test.each([
  ['2500000', 2, 'en-GB', '25,000.00'],
  ['2500000', 2, 'de-DE', '25.000,00'],
  ['2500000', 2, 'de-CH', "25'000.00"],
  ['2500000', 0, 'en-GB', '2,500,000'],
  ['5', 2, 'de-DE', '0,05'],
  ['1000000000000000001', 18, 'en-GB', '1.000000000000000001'],
  // Groups of two digits are not read.
  ['250000000', 2, 'en-IN', '2500000.00'],
  ['0', 2, 'en-GB', '0.00'],
])('writes %s with %i decimals into a field for %s as %s', (amount, decimals, locale, text) => {
  expect(toTyped(amount, decimals, locale)).toBe(text);
});

test('converts to a decimal text without losing a digit', () => {
  expect([toDecimal('5', 2), toDecimal('-5', 2), toDecimal('1234', 0), toDecimal('1', 18)]).toEqual([
    '0.05',
    '-0.05',
    '1234',
    '0.000000000000000001',
  ]);
});

test('negates texts', () => {
  expect([negate('5'), negate('-5'), negate('0')]).toEqual(['-5', '5', '0']);
});

test('knows the digits of currencies', () => {
  expect([minorDigits('EUR'), minorDigits('JPY'), minorDigits('KWD')]).toEqual([2, 0, 3]);
});
