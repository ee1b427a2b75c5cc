import { emptyMessages } from '@florin/ui/testing/check-texts.ts';
import { expect, test } from 'vitest';
import { CATEGORIES } from '../domain/blocks.ts';
import { MERCHANTS } from '../screens/sandbox/merchants.ts';
import { categoriesIn, categoryName, categorySign } from './categories.ts';

const codes = Array.from({ length: 9999 }, (_unused, index) => String(index + 1).padStart(4, '0'));

test('every merchant category code has a name in every language', () => {
  for (const locale of ['en-GB', 'de-DE', 'fr-FR']) {
    const names = Object.fromEntries(codes.map((code) => [code, categoryName(code, locale) ?? '']));
    expect(emptyMessages(names)).toEqual([]);
  }
});

test('what people know by name goes before the group that it belongs to', () => {
  const names = (code: string) => ['en-GB', 'de-AT', 'fr-CA'].map((locale) => categoryName(code, locale));
  expect(names('5942')).toEqual(['Bookshops', 'Buchhandlungen', 'Librairies']);
  expect(names('5943')).toEqual(['Shops', 'Läden', 'Magasins']);
  expect(names('5812')).toEqual(['Restaurants', 'Restaurants', 'Restaurants']);
  expect(names('3011')).toEqual(['Airlines', 'Fluggesellschaften', 'Compagnies aériennes']);
  expect(names('0742')).toEqual(['Vets', 'Tierärzte', 'Vétérinaires']);
});

test.each(['en-GB', 'de-DE', 'fr-FR'])('each kind of merchant has one name in %s, and all codes that are called so', (locale) => {
  const kinds = categoriesIn(locale);
  expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
  const named = kinds.flatMap(({ name, codes: text }) =>
    text.split(',').flatMap((range) => {
      const [first, last = first] = range.split('-').map(Number);
      return codes.slice(Number(first) - 1, last).map((code) => [code, name]);
    }),
  );
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(codes.map((code) => [code, categoryName(code, locale)])));
  expect(named).toHaveLength(codes.length);
  // The interface takes as many.
  expect(Math.max(...kinds.map(({ codes: text }) => text.split(',').length))).toBeLessThanOrEqual(64);
});

test('a kind of merchant of several rows has the codes of all', () => {
  const codesOf = (wanted: string) => categoriesIn('en-GB').find(({ name }) => name === wanted)?.codes;
  expect(codesOf('Airlines')).toBe('3000-3299,4511');
  expect(codesOf('Bookshops')).toBe('5942');
  expect(codesOf('Clothes and shoes')).toBe('5600-5699');
});

test.each(['en-GB', 'de-DE', 'fr-FR'])('each code has a sign, which is the same for all codes of a name in %s', (locale) => {
  const signs = Map.groupBy(codes, (code) => categoryName(code, locale));
  for (const [name, ofName] of signs) expect([name, new Set(ofName.map(categorySign)).size]).toEqual([name, 1]);
});

test('a code has the sign of its kind, and another text has none', () => {
  expect(categorySign('5942')).toBe('books');
  expect(categorySign('0000')).toBeUndefined();
});

test('the categories that can be blocked, and those of the shops of the sandbox, have names of their own', () => {
  const listed = [...CATEGORIES, ...MERCHANTS.map(({ categoryCode }) => categoryCode)];
  const names = listed.map((code) => categoryName(code, 'en-GB'));
  expect(new Set(names).size).toBe(listed.length);
  expect(names).not.toContain('Shops');
});

test('another text is no category', () => {
  expect(['', '0000', '594', '59420', 'abcd'].map((code) => categoryName(code, 'en-GB'))).toEqual(Array(5).fill(undefined));
});
