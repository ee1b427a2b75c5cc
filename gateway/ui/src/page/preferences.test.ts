import { expect, test } from 'vitest';
import { chooseLanguage, localeOf } from './preferences.ts';

test('chooses the language that was chosen, then one of the browser, then English', () => {
  expect(chooseLanguage('de', ['en-GB'])).toBe('de');
  expect(chooseLanguage(undefined, ['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(chooseLanguage('xx', ['fr'])).toBe('en');
});

test('formats for the region of the reader', () => {
  expect(localeOf('de', ['en-US', 'de-CH'])).toBe('de-CH');
  expect([localeOf('de', ['en']), localeOf('en', ['de-DE'])]).toEqual(['de-DE', 'en-GB']);
});
