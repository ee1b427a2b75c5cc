import { expect, test } from 'vitest';
import { initialsOf } from './avatar.ts';
import { goneCards, liveCards } from './cards.ts';
import { deviceName } from './device-name.ts';
import { usedShare } from './limits.ts';
import { toE164 } from './phone.ts';
import { chooseLanguage, localeOf } from './preferences.ts';
import { shortAddress } from './short-address.ts';
import { touchedBy } from './touched-by.ts';

test.each([
  ['Bookshop', 'BO'],
  ['Green Grocer', 'GG'],
  ['Cinema Lumière', 'CL'],
  ['*7 Éclair*', '7É'],
  ['', ''],
])('shortens %j to %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test.each([
  ['+49 151 12345678', '+4915112345678'],
  ['+49 (0)151/123-45678', '+4915112345678'],
  ['0049 151 12345678', '+4915112345678'],
])('reads the phone number %j', (typed, number) => {
  expect(toE164(typed)).toBe(number);
});

test('shows how much of a limit is used, up to all of it', () => {
  const share = (used: string, amount: string) => usedShare({ used, amount });
  expect([share('0', '100'), share('33', '100'), share('150', '100'), share('0', '0')]).toEqual([0, 0.33, 1, 1]);
});

test('parts cards that work from those that are gone', () => {
  const cards = ['active', 'lost', 'frozen', 'expired'].map((status) => ({ status }));
  expect(liveCards(cards).map(({ status }) => status)).toEqual(['active', 'frozen']);
  expect(goneCards(cards).map(({ status }) => status)).toEqual(['lost', 'expired']);
});

test('names devices by browser and system', () => {
  expect(deviceName('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox, Linux');
  expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604.1')).toBe(
    'Safari, iPhone',
  );
  expect(deviceName('node')).toBeUndefined();
  expect(deviceName(undefined)).toBeUndefined();
});

test('chooses the language that was chosen, then one of the browser, then English', () => {
  expect(chooseLanguage('de', ['en-GB'])).toBe('de');
  expect(chooseLanguage(null, ['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(chooseLanguage('xx', ['fr'])).toBe('en');
});

test('formats for the region of the reader', () => {
  expect(localeOf('de', ['en-US', 'de-CH'])).toBe('de-CH');
  expect([localeOf('de', ['en']), localeOf('en', ['de-DE'])]).toEqual(['de-DE', 'en-GB']);
});

test('shows the ends of an address', () => {
  expect(shortAddress('0x52908400098527886E0F7030069857D2E4169EE7')).toBe('0x5290…9EE7');
});

test('reads anew what an event has touched, and nothing for unknown ones', () => {
  expect(touchedBy('payment.cleared')).toContain('balances');
  expect(touchedBy('card_data.viewed')).toEqual(['access-log']);
  expect([touchedBy('comet.seen'), touchedBy('checkpoint'), touchedBy('')]).toEqual([[], [], []]);
});
