import type { Message } from '@florin/ui/i18n/message.ts';
import { expect, test } from 'vitest';
import declines from '../../../../../services/card/src/domain/decline-codes.ts?raw';
import { ROLES } from '../../../src/contract/roles.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { errorTextsDe } from './error-texts-de.ts';
import { errorTextsEn } from './error-texts-en.ts';

const namesIn = (message: Message): string[] => {
  const texts = typeof message === 'string' ? [message] : Object.values(message);
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')))].sort();
};

test('both languages have the same messages with the same values', () => {
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
  for (const [key, message] of Object.entries<Message>(en)) {
    expect([key, ...namesIn((de as Record<string, Message>)[key] ?? '')]).toEqual([key, ...namesIn(message)]);
  }
});

test('no message is empty', () => {
  for (const texts of [en, de, errorTextsEn, errorTextsDe]) {
    for (const [key, message] of Object.entries<Message>(texts)) {
      for (const text of typeof message === 'string' ? [message] : Object.values(message)) {
        expect([key, text.trim() === text && text !== '']).toEqual([key, true]);
      }
    }
  }
});

test('every message is used by a screen', () => {
  const files = import.meta.glob<string>(
    ['../**/*.{ts,tsx}', '../../../../ui/src/**/*.{ts,tsx}', '!./**', '!../../../../ui/src/i18n/**', '!**/*.test.ts'],
    {
      query: '?raw',
      import: 'default',
      eager: true,
    },
  );
  const source = Object.values(files).join('\n');
  expect(source).not.toBe('');
  const prefixes = [...source.matchAll(/(?:word\('|t\(`)([a-z_]+\.[a-z_]*)/g)].map(([, prefix]) => prefix ?? '');
  const unused = Object.keys(en).filter((key) => !source.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)));
  expect(unused).toEqual([]);
});

test('every reason of a decline has words', () => {
  const reasons = [...declines.matchAll(/^ {2}(\w+): \{ responseCode/gm)].map(([, code]) => code ?? '');
  expect(reasons.length).toBeGreaterThan(20);
  expect(reasons.filter((code) => !Object.hasOwn(en, `decline.${code}`))).toEqual([]);
});

test('every role has a name and says what it may do', () => {
  for (const role of ROLES) expect([Object.hasOwn(en, `role.${role}`), Object.hasOwn(en, `role_does.${role}`)]).toEqual([true, true]);
});
