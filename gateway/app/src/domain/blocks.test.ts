import { expect, test } from 'vitest';
import { COUNTRIES, changesOf, namesOfCountries, withBlocked } from './blocks.ts';

test('every country of the list has a name in both languages', () => {
  expect([COUNTRIES.length, new Set(COUNTRIES).size]).toEqual([249, 249]);
  const [english, german] = [namesOfCountries('en-GB'), namesOfCountries('de-DE')];
  expect(COUNTRIES.filter((code) => english(code) === code || german(code) === code)).toEqual([]);
  expect([german('AT'), english('AT')]).toEqual(['Österreich', 'Austria']);
});

test('a code that is no country is shown as it is', () => {
  expect(['QQ', '?'].map(namesOfCountries('en-GB'))).toEqual(['QQ', '?']);
});

test('blocking and permitting leave everything else as it is', () => {
  const controls = {
    categories: { allow: [], deny: [] },
    countries: { allow: ['DE'], deny: ['US'] },
    merchants: { allow: [], deny: ['M-1'] },
    online: false,
    contactless: true,
    atm: true,
    singleUse: false,
  };
  expect(withBlocked(controls, 'countries', 'TR', true)).toEqual({ ...controls, countries: { allow: ['DE'], deny: ['US', 'TR'] } });
  expect(withBlocked(controls, 'countries', 'US', true)).toEqual({ ...controls, countries: { allow: ['DE'], deny: ['US'] } });
  expect(withBlocked(controls, 'countries', 'US', false)).toEqual({ ...controls, countries: { allow: ['DE'], deny: [] } });
  expect(withBlocked(controls, 'categories', '7995', true)).toEqual({ ...controls, categories: { allow: [], deny: ['7995'] } });
  expect(changesOf(controls, withBlocked(controls, 'countries', 'TR', true))).toEqual({ countries: { allow: ['DE'], deny: ['US', 'TR'] } });
  expect(changesOf(controls, { ...controls, online: true })).toEqual({ online: true });
  expect(changesOf(undefined, controls)).toEqual(controls);
});
