import { emptyMessages, unequalMessages, unusedMessages } from '@florin/ui/testing/check-texts.ts';
import { expect, test } from 'vitest';
import rpcs from '../../../../../docs/reference/rpcs.md?raw';
import declines from '../../../../../services/card/src/domain/decline-codes.ts?raw';
import { ROLES } from '../../../src/contract/roles.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { errorTextsDe } from './error-texts-de.ts';
import { errorTextsEn } from './error-texts-en.ts';

test('both languages have the same messages with the same values', () => {
  expect(unequalMessages(en, de)).toEqual([]);
});

test('no message is empty or the same as its key', () => {
  for (const texts of [en, de, errorTextsEn, errorTextsDe]) expect(emptyMessages(texts)).toEqual([]);
});

test('every message is used by a screen', () => {
  const files = import.meta.glob<string>(
    ['../**/*.{ts,tsx}', '../../../../ui/src/**/*.{ts,tsx}', '!./**', '!../../../../ui/src/i18n/**', '!**/*.test.ts'],
    { query: '?raw', import: 'default', eager: true },
  );
  expect(Object.keys(files)).not.toEqual([]);
  expect(unusedMessages(en, Object.values(files))).toEqual([]);
});

test('every reason of a decline has words', () => {
  const reasons = [...declines.matchAll(/^ {2}(\w+): \{ responseCode/gm)].map(([, code]) => code ?? '');
  expect(reasons.length).toBeGreaterThan(20);
  expect(reasons.filter((code) => !Object.hasOwn(en, `decline.${code}`))).toEqual([]);
});

/** Concern approvals of cardholders, and faults of the page itself. */
const NEVER_MET = [
  'APPROVAL_REQUIRED',
  'INVALID_APPROVAL',
  'WALLET_COOLING',
  'NONCE_EXPIRED',
  'NONCE_USED',
  'FROZEN_BY_ISSUER',
  'IDEMPOTENCY_KEY_REUSED',
];

/** The codes with which the RPCs that the process calls reject. */
const codesOfServices = (): string[] => {
  const routes = Object.values(
    import.meta.glob<string>(['../../../src/routes/*.ts', '!**/*.test.ts'], { query: '?raw', import: 'default', eager: true }),
  ).join('\n');
  const called = [...rpcs.matchAll(/^\| (\w)(\w+) \|.*\| ([^|]*) \|$/gm)].flatMap(([, first = '', rest = '', codes = '']) =>
    new RegExp(`\\.${first.toLowerCase()}${rest}\\b`).test(routes) ? [codes] : [],
  );
  return [...new Set(called.join().match(/\w+/g))];
};

test('every error of the services has words', () => {
  const codes = codesOfServices();
  expect(codes).toEqual(expect.arrayContaining(['DEPOSIT_STATE_CONFLICT', 'SAFE_NOT_VERIFIED', 'AMOUNT_INVALID']));
  const general = (code: string) => code.endsWith('_NOT_FOUND') || NEVER_MET.includes(code);
  expect(codes.filter((code) => !general(code) && !Object.hasOwn(errorTextsEn, code))).toEqual([]);
});

test('every role has a name and says what it may do', () => {
  for (const role of ROLES) expect([Object.hasOwn(en, `role.${role}`), Object.hasOwn(en, `role_does.${role}`)]).toEqual([true, true]);
});
