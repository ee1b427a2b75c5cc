import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountSchema, formatAmount, minorUnitDigits, parseAmount, toMinorUnits } from './money.ts';

describe('minor unit', () => {
  it.each([
    ['EUR', 2],
    ['GBP', 2],
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['XXX', undefined],
    ['XAU', undefined],
    ['eur', undefined],
    ['', undefined],
  ])('of %j has %s digits', (currency, digits) => {
    expect(minorUnitDigits(currency)).toBe(digits);
  });

  it('agrees with the runtime for the currencies whose digits it takes from ISO 4217', () => {
    const known = Intl.supportedValuesOf('currency').filter((code) => minorUnitDigits(code) !== undefined);
    expect(known.length).toBeGreaterThan(140);
    const digitsOf = (currency: string) =>
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
    // The runtime (CLDR) shows fewer digits than ISO 4217 for currencies whose minor unit is out of use, never more.
    for (const code of known) expect(digitsOf(code), code).toBeLessThanOrEqual(minorUnitDigits(code) ?? -1);
    for (const code of ['EUR', 'USD', 'JPY', 'BHD', 'KRW', 'CHF', 'SEK']) expect(digitsOf(code)).toBe(minorUnitDigits(code));
  });
});

const positive = fc.bigInt({ min: 1n, max: 10n ** 59n });
const decimals = fc.integer({ min: 0, max: 30 });

describe('parseAmount and amountSchema', () => {
  it('round-trip through text', () => {
    fc.assert(
      fc.property(positive, (amount) => parseAmount(amount.toString()) === amount && amountSchema.parse(`${amount}`) === `${amount}`),
    );
  });

  it.each(['', '0', '-1', '+1', '01', '1.0', '1e3', '0x10', ' 1', '1 ', '1,000', '١', '1n', 'NaN', 'Infinity', '9'.repeat(61)])(
    'rejects %j',
    (text) => {
      expect(() => parseAmount(text)).toThrow(
        expect.objectContaining({ code: 'AMOUNT_INVALID', metadata: { amountProblem: expect.any(String) } }),
      );
      expect(amountSchema.safeParse(text).success).toBe(false);
    },
  );

  it('agree on every text', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789.-+e'), maxLength: 5 }));
    fc.assert(
      fc.property(text, (value) => {
        let parsed = true;
        try {
          parseAmount(value);
        } catch {
          parsed = false;
        }
        return amountSchema.safeParse(value).success === parsed;
      }),
    );
  });
});

describe('formatAmount', () => {
  it.each<[bigint, number, string]>([
    [0n, 2, '0.00'],
    [5n, 2, '0.05'],
    [12345n, 2, '123.45'],
    [-5n, 2, '-0.05'],
    [-12345n, 2, '-123.45'],
    [7n, 0, '7'],
    [-7n, 0, '-7'],
    [1n, 18, '0.000000000000000001'],
    [10n ** 19n, 18, '10.000000000000000000'],
  ])('formats %s with %i decimals as %s', (amount, places, text) => {
    expect(formatAmount(amount, places)).toBe(text);
  });

  it('keeps every digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 59n), max: 10n ** 59n }), decimals, (amount, places) => {
        const text = formatAmount(amount, places);
        expect(text).toMatch(places === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${places}}$`));
        return BigInt(text.replace('.', '')) === amount;
      }),
    );
  });
});

describe('toMinorUnits', () => {
  it.each<[bigint, number, number, bigint]>([
    [1_999_999_999_999_999_999n, 18, 2, 199n],
    [9_999_999_999_999_999n, 18, 2, 0n],
    [199n, 2, 18, 1_990_000_000_000_000_000n],
    [-19n, 1, 0, -1n],
    [7n, 6, 6, 7n],
  ])('converts %s from %i to %i decimals to %s', (amount, from, to, expected) => {
    expect(toMinorUnits(amount, from, to)).toBe(expected);
  });

  it('never creates money: a round trip loses less than one unit', () => {
    fc.assert(
      fc.property(positive, decimals, decimals, (amount, from, to) => {
        const back = toMinorUnits(toMinorUnits(amount, from, to), to, from);
        const unit = from > to ? 10n ** BigInt(from - to) : 1n;
        return back <= amount && amount - back < unit;
      }),
    );
  });

  it('converts parts to at most the whole', () => {
    fc.assert(
      fc.property(positive, positive, decimals, decimals, (a, b, from, to) => {
        return toMinorUnits(a, from, to) + toMinorUnits(b, from, to) <= toMinorUnits(a + b, from, to);
      }),
    );
  });
});
