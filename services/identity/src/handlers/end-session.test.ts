import { randomUUID } from 'node:crypto';
import { startRedisRelay } from '@florin/data/testing';
import { REVOKED_SESSIONS_PATH, REVOKED_SESSIONS_STREAM } from '@florin/proto/identity/v1/revocations';
import { waitFor } from '@florin/rpc/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, type Clients, createWorld, newUser, newWallet, signIn, type World } from '../testing/world.ts';

let world: World;
let url: string;
let clients: Clients;
let relay: Awaited<ReturnType<typeof startRedisRelay>>;

beforeAll(async () => {
  world = await createWorld({
    PARTNERS: JSON.stringify([
      { id: 'florin', name: 'Florin', domains: [] },
      { id: 'other', name: 'Other', domains: ['other.example.com'] },
    ]),
  });
  relay = await startRedisRelay(String(world.env['REDIS_URL']));
  ({ url } = await world.start());
  clients = world.clientsOf(url);
});
afterAll(async () => {
  await world?.close();
  await relay?.close();
});

const sidOf = (token: string): string => String(decodeJwt(token)['sid']);
const list = async (token: string, page?: { limit: number; cursor: string }) =>
  clients.sessions.listSessions(page === undefined ? {} : { page }, as(token));
const idsOf = async (token: string) => (await list(token)).sessions.map(({ id }) => id);
const refresh = (refreshToken: string) => clients.auth.refreshSession({ refreshToken });
const stored = (sid: string) => world.collection('sessions').findOne({ _id: sid });

const announced = async (sid: string): Promise<boolean> => {
  const entries = await world.redis.xRevRange(REVOKED_SESSIONS_STREAM, '+', '-', { COUNT: 1000 });
  return (entries ?? []).some(({ message }) => message['sid'] === sid);
};
const published = async (at: string): Promise<string[]> =>
  ((await (await fetch(new URL(REVOKED_SESSIONS_PATH, at))).json()) as { sessions: string[] }).sessions;

describe('EndCurrentSession', () => {
  it('ends the session with its tokens, and announces and publishes that before it returns', async () => {
    const { userToken, refreshToken } = await newUser(clients);
    const sid = sidOf(userToken);
    await clients.sessions.endCurrentSession({}, as(userToken));
    expect(await announced(sid)).toBe(true);
    expect(await published(url)).toContain(sid);
    expect(await stored(sid)).toMatchObject({ revokedAt: expect.any(Date) });
    expect(await stored(sid)).not.toHaveProperty('unannounced');
    await expect(clients.users.getCurrentUser({}, as(userToken))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(clients.sessions.endCurrentSession({}, as(userToken))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(refresh(refreshToken)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });

  it('takes effect in other instances', async () => {
    const other = world.clientsOf((await world.start()).url);
    const { userToken } = await newUser(clients);
    await other.users.getCurrentUser({}, as(userToken));
    await clients.sessions.endCurrentSession({}, as(userToken));
    await waitFor('the rejection', () =>
      other.users.getCurrentUser({}, as(userToken)).then(
        () => undefined,
        (error: { code: string }) => error.code === 'UNAUTHORIZED' || undefined,
      ),
    );
  });

  it('drops the session from the published list once all of its tokens have expired', async () => {
    const { accessToken } = await signIn(clients, newWallet());
    await clients.sessions.endCurrentSession({}, as(accessToken));
    expect(await published(url)).toContain(sidOf(accessToken));
    world.clock.advanceSeconds(16 * 60);
    expect(await published(url)).not.toContain(sidOf(accessToken));
  });

  it('works while Redis is unavailable: other instances read the document, and the announcement follows', async () => {
    const away = await world.start({}, { REDIS_URL: relay.url });
    const mine = world.clientsOf(away.url);
    const neighbour = world.clientsOf((await world.start({}, { REDIS_URL: relay.url })).url);
    const [leaving, staying] = [await newUser(clients), await newUser(clients)];
    await relay.cut();
    try {
      await mine.sessions.endCurrentSession({}, as(leaving.userToken));
      await expect(mine.users.getCurrentUser({}, as(leaving.userToken))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await waitFor('the rejection elsewhere', () =>
        neighbour.users.getCurrentUser({}, as(leaving.userToken)).then(
          () => undefined,
          (error: { code: string }) => error.code === 'UNAUTHORIZED' || undefined,
        ),
      );
      expect((await neighbour.users.getCurrentUser({}, as(staying.userToken))).user?.id).toBe(staying.userId);
      expect(await published(away.url)).toContain(sidOf(leaving.userToken));
    } finally {
      await relay.restore();
    }
    await waitFor('the announcement', async () => (await announced(sidOf(leaving.userToken))) || undefined);
  });

  it('is announced by another instance when the process is killed before announcing it', async () => {
    const hanging = await world.start({ publishRevocations: () => new Promise<never>(() => undefined) });
    const { accessToken } = await signIn(clients, newWallet());
    const sid = sidOf(accessToken);
    // The rounds of the other instance may announce it first, as they may after a kill.
    await world.clientsOf(hanging.url).sessions.endCurrentSession({}, as(accessToken));
    await waitFor('the announcement', async () => (await announced(sid)) || undefined);
    await waitFor('the mark to be removed', async () => ((await stored(sid))?.['unannounced'] === undefined ? true : undefined));
  });
});

describe('EndAllSessions', () => {
  it('ends every session of the wallet, and announces it as one event', async () => {
    const wallet = newWallet();
    const open = [];
    for (let count = 0; count < 3; count += 1) open.push(await signIn(clients, wallet));
    const other = await signIn(clients, newWallet());
    const [first] = open;
    await clients.sessions.endAllSessions({}, as(first?.accessToken ?? ''));
    for (const { accessToken, refreshToken } of open) {
      await waitFor('the rejection', () =>
        list(accessToken).then(
          () => undefined,
          (error: { code: string }) => error.code === 'UNAUTHORIZED' || undefined,
        ),
      );
      await expect(refresh(refreshToken)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    }
    await expect(clients.sessions.endAllSessions({}, as(first?.accessToken ?? ''))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await idsOf(other.accessToken)).toEqual([sidOf(other.accessToken)]);
    const again = await signIn(clients, wallet);
    expect(await idsOf(again.accessToken)).toEqual([sidOf(again.accessToken)]);
  });

  it('leaves the sessions at another partner', async () => {
    const wallet = newWallet();
    const here = await signIn(clients, wallet);
    const there = await signIn(clients, wallet, 'other.example.com', 'https://other.example.com/');
    await clients.sessions.endAllSessions({}, as(here.accessToken));
    expect(await idsOf(there.accessToken)).toEqual([sidOf(there.accessToken)]);
  });

  it('ends them once however often it is called at the same time', async () => {
    const user = await newUser(clients);
    await Promise.all([1, 2, 3].map(() => clients.sessions.endAllSessions({}, as(user.userToken)).catch(() => undefined)));
    await expect(refresh(user.refreshToken)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
  });
});

describe('reuse of a refresh token', () => {
  it('revokes the access tokens of its session', async () => {
    const { accessToken, refreshToken } = await signIn(clients, newWallet());
    await refresh(refreshToken);
    world.clock.advanceSeconds(11);
    await expect(refresh(refreshToken)).rejects.toMatchObject({ code: 'REFRESH_TOKEN_REUSED' });
    expect(await announced(sidOf(accessToken))).toBe(true);
    await expect(list(accessToken)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('ListSessions', () => {
  it('returns usable sessions, newest first, page by page', async () => {
    const wallet = newWallet();
    const tokens: string[] = [];
    for (let count = 0; count < 4; count += 1) tokens.push((await signIn(clients, wallet)).accessToken);
    const [first = '', second = '', third = '', fourth = ''] = tokens;
    await clients.sessions.endSession({ sessionId: sidOf(second) }, as(first));
    const { sessions, page } = await list(third, { limit: 2, cursor: '' });
    expect(sessions.map(({ id, current, wallet: address }) => [id, current, address])).toEqual([
      [sidOf(fourth), false, wallet.address],
      [sidOf(third), true, wallet.address],
    ]);
    const rest = await list(third, { limit: 2, cursor: page?.nextCursor ?? '' });
    expect(rest.sessions.map(({ id }) => id)).toEqual([sidOf(first)]);
    expect(rest.page?.nextCursor).toBe('');
  });

  it('omits expired sessions and sessions at another partner', async () => {
    const wallet = newWallet();
    await signIn(clients, wallet);
    world.clock.advanceSeconds(7 * 24 * 3600);
    const elsewhere = await signIn(clients, wallet, 'other.example.com', 'https://other.example.com/');
    const { accessToken } = await signIn(clients, wallet);
    expect(await idsOf(accessToken)).toEqual([sidOf(accessToken)]);
    expect(await idsOf(elsewhere.accessToken)).toEqual([sidOf(elsewhere.accessToken)]);
    const request = { sessionId: sidOf(elsewhere.accessToken) };
    await expect(clients.sessions.endSession(request, as(accessToken))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('EndSession', () => {
  it('ends another session of the same user and can be repeated', async () => {
    const { wallet, userToken } = await newUser(clients);
    const other = await signIn(clients, wallet);
    const request = { sessionId: sidOf(other.accessToken) };
    await clients.sessions.endSession(request, as(userToken));
    await clients.sessions.endSession(request, as(userToken));
    await expect(clients.users.getCurrentUser({}, as(other.accessToken))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await idsOf(userToken)).toEqual([sidOf(userToken)]);
  });

  it('returns NOT_FOUND for a session of another user and for an unknown one', async () => {
    const [mine, theirs] = [await signIn(clients, newWallet()), await signIn(clients, newWallet())];
    for (const sessionId of [sidOf(theirs.accessToken), randomUUID()]) {
      await expect(clients.sessions.endSession({ sessionId }, as(mine.accessToken))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await idsOf(theirs.accessToken)).toEqual([sidOf(theirs.accessToken)]);
    const malformed = clients.sessions.endSession({ sessionId: 'x' }, as(mine.accessToken));
    await expect(malformed).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('ends the session whether a concurrent refresh comes before or after it', async () => {
    const wallet = newWallet();
    for (let round = 0; round < 5; round += 1) {
      const { accessToken, refreshToken } = await signIn(clients, wallet);
      const [refreshed] = await Promise.allSettled([refresh(refreshToken), clients.sessions.endCurrentSession({}, as(accessToken))]);
      const latest = refreshed.status === 'fulfilled' ? refreshed.value.tokens?.accessToken : accessToken;
      await expect(list(latest ?? '')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await expect(refresh(refreshToken)).rejects.toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    }
  });
});
