import { REVOKED_SESSIONS_PATH, REVOKED_SESSIONS_STREAM } from '@florin/proto/identity/v1/revocations';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import {
  createAuthenticator,
  createRemoteUserKeys,
  createRevokedSessions,
  createUserTokenVerifier,
  JWKS_PATH,
  tokensOfKey,
} from '@florin/rpc/auth';
import { waitFor } from '@florin/rpc/testing';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, type Clients, createWorld, newWallet, signIn, type World } from '../testing/world.ts';

let world: World;
let urls: string[];
let clients: Clients;
let neighbour: Clients;

beforeAll(async () => {
  world = await createWorld();
  urls = [(await world.start()).url, (await world.start()).url];
  [clients, neighbour] = urls.map((url) => world.clientsOf(url)) as [Clients, Clients];
});
afterAll(() => world?.close());

const kidOf = (token: string): string => String(decodeProtectedHeader(token).kid);
const kidsAt = async (url = ''): Promise<string[]> =>
  ((await (await fetch(new URL(JWKS_PATH, url))).json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
const isRefused = (at: Clients, token: string) =>
  at.sessions.listSessions({}, as(token)).then(
    () => undefined,
    (error: { code: string }) => error.code === 'UNAUTHORIZED' || undefined,
  );

describe('RevokeSigningKey', () => {
  it('refuses the tokens of the key everywhere, and sessions live on with tokens of another key', async () => {
    const { accessToken, refreshToken } = await signIn(clients, newWallet());
    const kid = kidOf(accessToken);
    // Both have verified the token, and remember it.
    for (const at of [clients, neighbour]) await at.sessions.listSessions({}, as(accessToken));
    const { signingKid } = await clients.keys.revokeSigningKey({ kid });
    expect(signingKid).not.toBe(kid);
    world.clock.advanceSeconds(6);
    for (const at of [clients, neighbour]) await waitFor('the refusal', () => isRefused(at, accessToken));
    for (const url of urls) await waitFor('the key to disappear', async () => ((await kidsAt(url)).includes(kid) ? undefined : true));
    const refreshed = (await neighbour.auth.refreshSession({ refreshToken })).tokens;
    expect(kidOf(refreshed?.accessToken ?? '')).toBe(signingKid);
    for (const at of [clients, neighbour])
      await waitFor('the new token to be accepted', () =>
        at.sessions.listSessions({}, as(refreshed?.accessToken ?? '')).then(
          () => true as const,
          () => undefined,
        ),
      );
    // A repeat changes nothing.
    expect((await neighbour.keys.revokeSigningKey({ kid })).signingKid).toBe(signingKid);
    expect(await kidsAt(urls[0])).toContain(signingKid);
  });

  it('is honoured by a process that holds the key in its cache, and by one that starts later without the stream', async () => {
    const { accessToken } = await signIn(clients, newWallet());
    const kid = kidOf(accessToken);
    const user = createUserTokenVerifier(createRemoteUserKeys(String(urls[0])), world.clock.now);
    const revoked = createRevokedSessions();
    revoked.heard();
    const authenticate = createAuthenticator({ user, revoked });
    expect((await authenticate(`Bearer ${accessToken}`)).kind).toBe('wallet');
    await clients.keys.revokeSigningKey({ kid });
    world.clock.advanceSeconds(6);
    revoked.add([tokensOfKey(kid)]);
    await expect(authenticate(`Bearer ${accessToken}`)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const { sessions } = (await (await fetch(new URL(REVOKED_SESSIONS_PATH, urls[0]))).json()) as { sessions: string[] };
    expect(sessions).toContain(tokensOfKey(kid));
    const later = await world.start({}, { REDIS_URL: world.emptyRedisUrl });
    await waitFor('the refusal', () => isRefused(world.clientsOf(later.url), accessToken));
    await later.close();
  });

  it('lets a key that waits take over, and revokes one that waits without a successor', async () => {
    const { kid: pending } = await clients.keys.rotateSigningKey({});
    const { accessToken } = await signIn(clients, newWallet());
    const { signingKid } = await clients.keys.revokeSigningKey({ kid: kidOf(accessToken) });
    expect(signingKid).toBe(pending);
    world.clock.advanceSeconds(6);
    const { kid: next } = await clients.keys.rotateSigningKey({});
    expect((await clients.keys.revokeSigningKey({ kid: next })).signingKid).toBe(pending);
    expect(await kidsAt(urls[0])).not.toContain(next);
  });

  it('is announced by another instance when the process is killed before announcing it', async () => {
    const hanging = await world.start({ publishRevocations: () => new Promise<never>(() => undefined) });
    const { kid } = await clients.keys.rotateSigningKey({});
    world
      .clientsOf(hanging.url)
      .keys.revokeSigningKey({ kid })
      .catch(() => undefined);
    await waitFor('the announcement', async () => {
      const entries = (await world.redis.xRange(REVOKED_SESSIONS_STREAM, '-', '+')) ?? [];
      return entries.some(({ message }) => message['sid'] === tokensOfKey(kid)) ? true : undefined;
    });
  });

  it('rejects unknown and malformed ids, and callers without the scope', async () => {
    const revoke = (kid: string) => clients.keys.revokeSigningKey({ kid });
    await expect(revoke('a'.repeat(43))).rejects.toMatchObject({ code: 'SIGNING_KEY_NOT_FOUND' });
    await expect(revoke('key')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const headers = { authorization: `Bearer ${await world.authority.serviceToken('operator', 'identity', [IDENTITY_SCOPES.rotateKeys])}` };
    await expect(clients.keys.revokeSigningKey({ kid: 'a'.repeat(43) }, { headers })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
