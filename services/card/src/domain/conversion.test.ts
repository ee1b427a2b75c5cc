import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convert, isRate, overReference } from './conversion.ts';

const plain = { markupBasisPoints: 0, from: 2, to: 2 };

describe('a conversion', () => {
  it.each([
    // 10.00 USD at 0.92 EUR for one USD.
    [1000n, { ...plain, rate: '0.92' }, 920n],
    // With a mark-up of 1.5 %: 9.338 EUR.
    [1000n, { ...plain, rate: '0.92', markupBasisPoints: 150 }, 934n],
    // 7.77 USD: 7.2555 EUR.
    [777n, { ...plain, rate: '0.92', markupBasisPoints: 150 }, 726n],
    // 1,000 JPY, which have no decimals, at 0.00625: 6.25 EUR.
    [1000n, { ...plain, rate: '0.00625', from: 0 }, 625n],
    // 1.234 KWD, which have three, at 3: 3.702 EUR.
    [1234n, { ...plain, rate: '3', from: 3 }, 371n],
    // Any part of a cent is rounded up.
    [1n, { ...plain, rate: '0.000000000001' }, 1n],
    [0n, { ...plain, rate: '7' }, 0n],
    // Down where we give: 9.999 EUR.
    [1000n, { ...plain, rate: '0.9999', isRoundedDown: true }, 999n],
  ])('of %s with %o is %s', (amount, options, expected) => {
    expect(convert(amount, options)).toBe(expected);
  });

  const rates = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }))
    .filter(([whole, fraction]) => whole + fraction > 0n)
    .map(([whole, fraction]) => ({ text: `${whole}.${fraction.toString().padStart(12, '0')}`, scaled: whole * 10n ** 12n + fraction }));
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 15n });
  const decimals = fc.constantFrom(0, 2, 3, 4);
  const markups = fc.integer({ min: 0, max: 1000 });

  it('is less than a minor unit away from the exact value, on the side that costs the program nothing', () => {
    fc.assert(
      fc.property(amounts, rates, markups, decimals, decimals, fc.boolean(), (amount, rate, markupBasisPoints, from, to, isRoundedDown) => {
        const found = convert(amount, { rate: rate.text, markupBasisPoints, from, to, isRoundedDown });
        // Exact value = numerator / denominator.
        const numerator = amount * rate.scaled * BigInt(10_000 + markupBasisPoints) * 10n ** BigInt(to);
        const denominator = 10n ** 12n * 10_000n * 10n ** BigInt(from);
        const gained = isRoundedDown ? numerator - found * denominator : found * denominator - numerator;
        expect(gained >= 0n && gained < denominator).toBe(true);
      }),
    );
  });

  it('is never less for a larger amount or mark-up', () => {
    fc.assert(
      fc.property(amounts, amounts, rates, markups, markups, (one, other, rate, low, high) => {
        const of = (amount: bigint, markupBasisPoints: number) => convert(amount, { rate: rate.text, markupBasisPoints, from: 2, to: 2 });
        const [small, large] = one < other ? [one, other] : [other, one];
        expect(of(small, Math.min(low, high)) <= of(large, Math.max(low, high))).toBe(true);
      }),
    );
  });
});

describe('a rate', () => {
  it.each(['1', '0.000000000001', '999999999999.999999999999', '1.50'])('may be %s', (text) => {
    expect(isRate(text)).toBe(true);
  });

  it.each(['0', '0.000', '', '-1', '+1', '01', '1.', '.5', '1e3', '1,5', ' 1', '1000000000000', '1.0000000000001', '١'])(
    'may not be %j',
    (text) => {
      expect(isRate(text)).toBe(false);
    },
  );
});

describe('the cost of a conversion over the reference rate', () => {
  it.each<[bigint, bigint, object, number | undefined]>([
    [1000n, 929n, { rate: '0.92' }, 98],
    [1000n, 920n, { rate: '0.92' }, 0],
    [1000n, 900n, { rate: '0.92' }, -217],
    [10_999n, 667n, { rate: '0.0006', from: 0 }, 107],
    [0n, 0n, { rate: '0.92' }, undefined],
  ])('of %s for %s with %o is %s basis points', (amount, billing, scale, expected) => {
    expect(overReference({ amount, billing }, { rate: '1', from: 2, to: 2, ...scale })).toBe(expected);
  });
});
