import { expect, test } from 'vitest';
import { chooseLanguage, localeOf } from './preferences.ts';

test('chooses the language that was chosen, then one of the browser, then English', () => {
  expect(chooseLanguage(['en', 'de'], 'de', ['en-GB'])).toBe('de');
  expect(chooseLanguage(['en', 'de'], undefined, ['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(chooseLanguage(['en', 'de', 'fr'], undefined, ['fr-FR', 'de-AT', 'en'])).toBe('fr');
  // One of another page, of the same browser.
  expect(chooseLanguage(['en', 'de'], 'fr', ['de-AT'])).toBe('de');
  expect(chooseLanguage(['en', 'de'], 'xx', ['fr'])).toBe('en');
});

test('formats for the region of the reader', () => {
  expect(localeOf('de', ['en-US', 'de-CH'])).toBe('de-CH');
  expect([localeOf('de', ['en']), localeOf('en', ['de-DE']), localeOf('fr', [])]).toEqual(['de-DE', 'en-GB', 'fr-FR']);
});
