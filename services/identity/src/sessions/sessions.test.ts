import { systemRuntime } from '@florin/rpc/runtime';
import { expect, it } from 'vitest';
import type { Session, SessionStore } from '../store/sessions.ts';
import { createRefreshTokens } from '../tokens/refresh-tokens.ts';
import { createSessions, type SessionParts } from './sessions.ts';

const now = new Date();
const opened: Session = {
  id: systemRuntime.newId(),
  wallet: '0x',
  partnerId: 'acme',
  salt: 'salt',
  generation: 1,
  createdAt: now,
  lastUsedAt: now,
  rotatedAt: now,
  expiresAt: new Date(now.getTime() + 60_000),
};

const refreshTokens = createRefreshTokens([new Uint8Array(32)]);

const sessionsWith = (store: Partial<SessionStore>, parts: Partial<SessionParts> = {}) =>
  createSessions({
    store: store as SessionStore,
    epochs: { current: async () => 0, end: async () => undefined },
    announcements: { announce: async () => undefined, announceWallet: async () => undefined },
    runtime: systemRuntime,
    issueAccessToken: async () => ({ token: 'access', expiresAt: now }),
    refreshTokens,
    maxAgeMs: 60_000,
    userOf: async () => undefined,
    noteNewDevice: async () => undefined,
    ...parts,
  });

it.each<[string, Session | undefined]>([
  ['is missing', undefined],
  ['is before its last refresh', { ...opened, generation: 0, rotatedAt: undefined }],
])('refreshes a session that %s at a primary that was just elected', async (_name, stale) => {
  const rotated: number[] = [];
  const sessions = sessionsWith({
    find: async () => stale,
    findProven: async () => opened,
    rotate: async (_id, generation) => rotated.push(generation) === 1,
  });
  const { refreshToken } = await sessions.refresh(refreshTokens.tokenOf(opened, 1), undefined);
  expect(refreshToken).toBe(refreshTokens.tokenOf(opened, 2));
  expect(rotated).toEqual([1]);
});

it.each(['add', 'revokeBeyond'] as const)(
  'has noted a new device when %s fails, because a repeat may find the session',
  async (failing) => {
    const noted: string[] = [];
    const sessions = sessionsWith(
      {
        signIns: async () => [],
        add: async () => undefined,
        revokeBeyond: async () => [],
        [failing]: async () => Promise.reject(new Error('the engine is gone')),
      },
      {
        userOf: async () => ({ id: 'user', wallets: [{ address: '0x', primary: true }] }),
        noteNewDevice: async (userId) => {
          noted.push(userId);
        },
      },
    );
    await expect(sessions.open({ wallet: '0x', partnerId: 'acme' })).rejects.toThrow('the engine is gone');
    expect(noted).toEqual(['user']);
  },
);
