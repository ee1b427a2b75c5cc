import { randomUUID } from 'node:crypto';
import { openStore, type Store } from '@florin/data/store';
import { testCipher, testEngines } from '@florin/data/testing';
import { systemRuntime } from '@florin/rpc/runtime';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Registration } from '../domain/registration.ts';
import { createEmailClaimStore } from './claims.ts';
import { createRegistrationStore, type RegistrationStore } from './registrations.ts';
import { createSessionStore, type SessionStore } from './sessions.ts';

let store: Store;
let sessions: SessionStore;
let registrations: RegistrationStore;

beforeAll(async () => {
  const { mongodbUri, database } = testEngines();
  store = await openStore({ uri: mongodbUri, database, poolSize: 16, logger: quietLogger });
  sessions = createSessionStore(store.connection, testCipher());
  registrations = createRegistrationStore(store.connection, testCipher());
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const NOW = new Date('2026-03-01T12:00:00.000Z');
const LATER = new Date('2026-03-08T12:00:00.000Z');
const fulfilled = (results: readonly boolean[]): number => results.filter((won) => won).length;

describe('sessions', () => {
  const add = async () => {
    const id = randomUUID();
    const session = { id, wallet: '0x', partnerId: 'florin', salt: 's', generation: 0, createdAt: NOW, lastUsedAt: NOW, expiresAt: LATER };
    await sessions.add(session);
    return id;
  };

  it('are rotated by one of many concurrent calls, and never from an older generation', async () => {
    const id = await add();
    const results = await Promise.all(Array.from({ length: 20 }, () => sessions.rotate(id, 0, NOW, LATER)));
    expect(fulfilled(results)).toBe(1);
    expect(await sessions.rotate(id, 1, NOW, LATER)).toBe(true);
    expect(await sessions.rotate(id, 0, NOW, LATER)).toBe(false);
    expect(await sessions.find(id)).toMatchObject({ generation: 2 });
  });

  it('are not rotated once revoked or expired', async () => {
    const [revoked, expired] = [await add(), await add()];
    await sessions.revoke(revoked, NOW);
    expect(await sessions.rotate(revoked, 0, NOW, LATER)).toBe(false);
    expect(await sessions.rotate(expired, 0, LATER, LATER)).toBe(false);
  });
});

describe('registrations', () => {
  const fresh = (wallet: string): Registration => ({
    wallet,
    userId: randomUUID(),
    accountId: randomUUID(),
    partnerId: 'florin',
    email: 'A@b.org',
    emailKey: 'a@b.org',
    step: 'started',
    createdAt: NOW,
    updatedAt: NOW,
  });

  it('share the ids of the first one of a wallet', async () => {
    const wallet = `0xA${randomUUID()}`;
    const all = await Promise.all(Array.from({ length: 10 }, () => registrations.begin(fresh(wallet))));
    expect(new Set(all.map(({ userId }) => userId)).size).toBe(1);
    expect(new Set(all.map(({ accountId }) => accountId)).size).toBe(1);
    expect(await registrations.begin(fresh(wallet.toLowerCase()))).toMatchObject({ userId: all[0]?.userId });
  });

  it('advance only from the state that the caller has read', async () => {
    const seen = await registrations.begin(fresh(`0x${randomUUID()}`));
    const twins = await Promise.all([
      registrations.advance(seen, 'profile_created', NOW),
      registrations.advance(seen, 'profile_created', NOW),
    ]);
    expect(fulfilled(twins.map((moved) => moved !== undefined))).toBe(1);
    const moved = twins.find((twin) => twin !== undefined) ?? seen;
    expect(await registrations.retarget(seen, { partnerId: 'florin', email: 'c@d.org', emailKey: 'c@d.org' }, NOW)).toBeUndefined();
    expect(await registrations.retarget(moved, { partnerId: 'florin', email: 'c@d.org', emailKey: 'c@d.org' }, NOW)).toBeDefined();
    // Same step, other e-mail address: a decision for one does not apply to the other.
    expect(await registrations.advance(moved, 'account_opened', NOW)).toBeUndefined();
  });

  it('are removed only when abandoned', async () => {
    const seen = await registrations.begin(fresh(`0x${randomUUID()}`));
    await registrations.removeAbandoned(seen);
    expect(await registrations.find(seen.wallet)).toBeDefined();
    await registrations.advance(seen, 'abandoned', NOW);
    await registrations.removeAbandoned(seen);
    expect(await registrations.find(seen.wallet)).toBeUndefined();
  });
});

describe('claims', () => {
  it('have one owner, which may claim again and alone may release', async () => {
    const claims = createEmailClaimStore(store.connection, systemRuntime, testCipher());
    const key = `florin:${randomUUID()}`;
    const users = Array.from({ length: 20 }, () => randomUUID());
    const results = await Promise.all(users.map((userId) => claims.claim(key, userId, NOW)));
    expect(fulfilled(results)).toBe(1);
    const owner = users[results.indexOf(true)] ?? '';
    expect(await claims.ownerOf(key)).toBe(owner);
    expect(await claims.claim(key, owner, NOW)).toBe(true);
    await claims.release(key, randomUUID());
    expect(await claims.ownerOf(key)).toBe(owner);
    await claims.release(key, owner);
    expect(await claims.ownerOf(key)).toBeUndefined();
  });
});
