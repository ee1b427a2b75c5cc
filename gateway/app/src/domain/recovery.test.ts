import { expect, test } from 'vitest';
import { canNameBackup, isRecoveryNews, recoverySteps } from './recovery.ts';

const OWNER = '0x52908400098527886E0F7030069857D2E4169EE7';
const NEXT = '0x8617E340B3D01FA5F11F6F7F0F2E9b1F2C5f8D3a';
const OTHER = '0xde709f2102306220921060314715629080e2fb77';
const LOWER = NEXT.toLowerCase();

test.each<[string | undefined, Parameters<typeof recoverySteps>[1], ReturnType<typeof recoverySteps>]>([
  // Blocked for another reason: nobody has replaced the owner.
  [OTHER, { owner: OWNER }, { request: false, stop: false }],
  [OTHER, { owner: OWNER, status: 'waiting' }, { request: false, stop: false }],
  [OTHER, { owner: OWNER, replacement: NEXT }, { request: false, stop: false }],
  [OTHER, { owner: OWNER, replacement: NEXT, status: 'waiting' }, { request: false, stop: false }],
  [undefined, { owner: OWNER, replacement: NEXT }, { request: false, stop: false }],
  // Put back in its place, which nothing on the chain has to follow, unless an exchange waits.
  [OWNER, { owner: OWNER, replacement: OWNER }, { request: false, stop: false }],
  [OWNER, { owner: OWNER, replacement: OWNER, status: 'waiting' }, { request: false, stop: true }],
  [NEXT, { owner: OWNER, replacement: NEXT }, { request: true, stop: false }],
  [LOWER, { owner: OWNER, replacement: NEXT, status: 'cancelled' }, { request: true, stop: false }],
  [LOWER, { owner: OWNER, replacement: NEXT, status: 'requested' }, { request: false, stop: false }],
  [NEXT, { owner: OWNER, replacement: NEXT, status: 'waiting' }, { request: false, stop: true }],
  [NEXT, { owner: NEXT, status: 'completed' }, { request: false, stop: false }],
])('a session of %s, %o: %o', (wallet, state, steps) => {
  expect(recoverySteps(wallet, state)).toEqual(steps);
});

const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const daysAgo = (days: number): string => new Date(NOW - days * 24 * 3_600_000).toISOString();

test.each<[Parameters<typeof isRecoveryNews>[0], boolean]>([
  [{ status: 'requested', createdAt: daysAgo(30), blocked: false }, true],
  [{ status: 'waiting', createdAt: daysAgo(30), blocked: false }, true],
  [{ status: 'cancelled', createdAt: daysAgo(3), blocked: true, replacement: NEXT }, true],
  [{ status: 'cancelled', createdAt: daysAgo(3), blocked: true }, false],
  [{ status: 'completed', createdAt: daysAgo(9), executableAt: daysAgo(6), blocked: true }, true],
  [{ status: 'completed', createdAt: daysAgo(9), executableAt: daysAgo(6), blocked: false }, false],
  // Blocked again, months after.
  [{ status: 'completed', createdAt: daysAgo(92), executableAt: daysAgo(90), blocked: true }, false],
])('a recovery %o is news: %s', (recovery, expected) => {
  expect(isRecoveryNews(recovery, NOW)).toBe(expected);
});

const SET_UP = { status: 'active', deployment: { status: 'verified', owner: OWNER } };

test.each<[Parameters<typeof canNameBackup>[0], Parameters<typeof canNameBackup>[1], boolean]>([
  [SET_UP, { address: OWNER.toLowerCase(), isTest: false }, true],
  [{ ...SET_UP, deployment: { status: 'relaying', owner: OWNER } }, { address: OWNER, isTest: false }, true],
  [{ ...SET_UP, deployment: { status: 'predicted', owner: OWNER } }, { address: OWNER, isTest: false }, false],
  [{ ...SET_UP, status: 'blocked' }, { address: OWNER, isTest: false }, false],
  [SET_UP, { address: OTHER, isTest: false }, false],
  [SET_UP, { address: OWNER, isTest: true }, false],
  [SET_UP, undefined, false],
])('an account %o can name a backup key in a session of %o: %s', (account, wallet, expected) => {
  expect(canNameBackup(account, wallet)).toBe(expected);
});
