import { describe, expect, it } from 'vitest';
import { minorUnitDigits } from './index.ts';

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
