import { createTranslator } from '@florin/ui/i18n/translator.tsx';
import { emptyMessages, unequalMessages, unusedMessages } from '@florin/ui/testing/check-texts.ts';
import { expect, test } from 'vitest';
import catalogue from '../../../../docs/reference/errors.md?raw';
import declines from '../../../../services/card/src/domain/decline-codes.ts?raw';
import events from '../../../../services/card/src/domain/payment-event.ts?raw';
import funds from '../../../../services/identity/src/domain/source-of-funds.ts?raw';
import { de } from './de.ts';
import { en } from './en.ts';
import { errorTextsDe } from './error-texts-de.ts';
import { errorTextsEn } from './error-texts-en.ts';
import { errorTextsFr } from './error-texts-fr.ts';
import { fr } from './fr.ts';
import { LANGUAGES, loadTexts } from './load-texts.ts';

test('all languages have the same messages with the same values', () => {
  for (const texts of [de, fr]) expect(unequalMessages(en, texts)).toEqual([]);
  for (const texts of [errorTextsDe, errorTextsFr]) expect(unequalMessages(errorTextsEn, texts)).toEqual([]);
});

test('each language loads its own texts', async () => {
  const loaded = await Promise.all(LANGUAGES.map(loadTexts));
  expect(loaded.map(({ messages, errorTexts }) => [messages['nav.home'], errorTexts.NOT_FOUND])).toEqual(
    [en, de, fr].map((messages, index) => [messages['nav.home'], [errorTextsEn, errorTextsDe, errorTextsFr][index]?.NOT_FOUND]),
  );
});

test('French has a space that does not break before its high signs', () => {
  const texts = Object.entries({ ...fr, ...errorTextsFr }).flatMap(([key, message]) =>
    (typeof message === 'string' ? [message] : Object.values(message)).map((text) => ({ key, text })),
  );
  expect(texts.filter(({ text }) => /(?<!\u00a0)[?!:;»](?!\S)|«(?!\u00a0)/.test(text)).map(({ key }) => key)).toEqual([]);
});

test('no message is empty or the same as its key', () => {
  for (const texts of [en, de, fr, errorTextsEn, errorTextsDe, errorTextsFr]) expect(emptyMessages(texts)).toEqual([]);
});

test('every message is used by a screen', () => {
  const files = import.meta.glob<string>(
    ['../**/*.{ts,tsx}', '../../../ui/src/**/*.{ts,tsx}', '!./**', '!../../../ui/src/i18n/**', '!**/*.test.ts'],
    { query: '?raw', import: 'default', eager: true },
  );
  expect(Object.keys(files)).not.toEqual([]);
  expect(unusedMessages(en, Object.values(files))).toEqual([]);
});

test('every code that the texts name is one of the platform', () => {
  const unknown = Object.keys(errorTextsEn).filter((code) => !catalogue.includes(`\`${code}\``));
  expect(unknown).toEqual([]);
});

test('every reason of a decline has words', () => {
  const reasons = [...declines.matchAll(/^ {2}(\w+): \{ responseCode/gm)].map(([, code]) => code ?? '');
  expect(reasons.length).toBeGreaterThan(20);
  expect(reasons.filter((code) => !Object.hasOwn(en, `decline.${code}`))).toEqual([]);
});

test('every event of a payment has words', () => {
  const [list = ''] = /PAYMENT_EVENT_TYPES = \[[^\]]*/.exec(events) ?? [];
  const types = [...list.matchAll(/'(\w+)'/g)].map(([, type]) => type ?? '');
  expect(types.length).toBeGreaterThan(30);
  expect(types.filter((type) => !Object.hasOwn(en, `payment.event_${type}`))).toEqual([]);
});

test('every default question about the source of funds has words, which are its own in English', () => {
  const [list = ''] = /DEFAULT_QUESTIONS: [^;]*/.exec(funds) ?? [];
  const texts = [...list.matchAll(/'([^']+)'/g)].map(([, text = '']) => text);
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => !Object.entries(en).some(([key, words]) => key === `funds.text_${text}` && words === text))).toEqual([]);
});

test('fills in values, and chooses the plural of the language', () => {
  const english = createTranslator<typeof en>('en-GB', { messages: en, errorTexts: errorTextsEn });
  const german = createTranslator<typeof en>('de-DE', { messages: de, errorTexts: errorTextsDe });
  expect(english.t('home.pending', { count: 1 })).toBe('A payment waits for your decision');
  expect(german.t('home.pending', { count: 1200 })).toBe('1.200 Zahlungen warten auf deine Entscheidung');
  const french = createTranslator<typeof en>('fr-FR', { messages: fr, errorTexts: errorTextsFr });
  // One and a half is one in French; its thousands have a narrow space.
  expect(french.t('set_up.way_out_after', { count: 1.5 })).toBe('après une heure');
  expect(french.t('home.pending', { count: 1200 })).toBe('1\u202f200 paiements attendent votre décision');
  expect(english.t('sign_in.with', { wallet: '{wallet} $&' })).toBe('Continue with {wallet} $&');
});

test('shows a word of a later platform as it is', () => {
  const { word, errorText } = createTranslator<typeof en>('en-GB', { messages: en, errorTexts: errorTextsEn });
  expect(word('card.status_', 'active')).toBe('Active');
  expect([word('card.status_', 'on_holiday'), word('card.status_', 'on-holiday')]).toEqual(['on holiday', 'on holiday']);
  expect([errorText('INVALID_OTP') === undefined, errorText('toString'), errorText('NEW_CODE')]).toEqual([false, undefined, undefined]);
});
