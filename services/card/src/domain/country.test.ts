import { describe, expect, it } from 'vitest';
import { toAlpha2 } from './country.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const texts = (length: number): string[] =>
  length === 0 ? [''] : texts(length - 1).flatMap((text) => LETTERS.map((letter) => text + letter));

describe('the code of a country', () => {
  it.each([
    ['DE', 'DE'],
    ['de', 'DE'],
    ['DEU', 'DE'],
    [' gbr ', 'GB'],
    ['MEX', 'MX'],
    ['', ''],
    ['Germany', 'GERMANY'],
    ['ZZZ', 'ZZZ'],
  ])('%j becomes %j', (text, expected) => {
    expect(toAlpha2(text)).toBe(expected);
  });

  it('has one alpha-3 code for each of the 249 countries of ISO 3166-1', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    const found = texts(3).flatMap((code) => (toAlpha2(code) === code ? [] : [toAlpha2(code)]));
    expect([found.length, new Set(found).size]).toEqual([249, 249]);
    expect(found.filter((code) => names.of(code) === undefined)).toEqual([]);
    // Alpha-3 codes start as the alpha-2 codes do, but for a few.
    const others = texts(3).filter((code) => toAlpha2(code) !== code && !code.startsWith(toAlpha2(code).charAt(0)));
    expect(others).toEqual(['ATF', 'COM', 'CYM', 'MYT', 'PRK', 'SGS', 'SPM', 'SRB']);
  });
});
