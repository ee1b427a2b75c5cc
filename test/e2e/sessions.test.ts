import { randomUUID } from 'node:crypto';
import { startRedisRelay, testEngines } from '@florin/data/testing';
import { CardService } from '@florin/proto/card/v1/card_service';
import { UserService } from '@florin/proto/identity/v1/user_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel, onBehalfOf } from '@florin/rpc/client';
import { openEventStream, waitFor } from '@florin/rpc/testing';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { newWallet, registerPerson, signIn, walletToAdd } from '../support/story.ts';

let relay: Awaited<ReturnType<typeof startRedisRelay>>;
let platform: PlatformInProcess;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  relay = await startRedisRelay(testEngines().redisUrl);
  platform = await startPlatformInProcess({ REDIS_URL: relay.url });
});
afterAll(async () => {
  for (const close of closers) await close();
  await platform?.close();
  await relay?.close();
});

const open = (service: 'identity' | 'card' | 'ledger' | 'threeds') => {
  const serviceToken = createServiceTokenSource({ key: serviceKeySchema.parse(platform.operatorKey), audience: service, scopes: [] });
  const channel = createRpcChannel({ baseUrl: platform.services[service].url, serviceToken });
  closers.push(channel.close);
  return channel;
};

/** One RPC of each service, called directly with a user's token. */
const serviceCalls = () => {
  const [identity, card, ledger, threeds] = [open('identity'), open('card'), open('ledger'), open('threeds')];
  const as = (token: string) => onBehalfOf({ token, requestId: 'test-request' });
  return {
    identity: (token: string) => identity.client(UserService).getCurrentUser({}, as(token)),
    card: (token: string) => card.client(CardService).listCards({}, as(token)),
    ledger: (token: string) => ledger.client(AccountService).getCurrentAccount({}, as(token)),
    threeds: (token: string) => threeds.client(ChallengeService).listChallenges({}, as(token)),
  };
};

const untilRejected = (what: string, call: () => Promise<unknown>) =>
  waitFor(`rejection by ${what}`, () =>
    call().then(
      () => undefined,
      (error: { code: string }) => error.code === 'UNAUTHORIZED' || undefined,
    ),
  );

const sidOf = (token: string): string => String(decodeJwt(token)['sid']);
const logout = (token: string) => platform.api.request('POST', '/auth/logout', { token });

describe('POST /auth/logout-all', () => {
  it('ends the sessions of all wallets of the user, with their tokens and event streams', async () => {
    const { token, wallet } = await registerPerson(platform.api);
    const added = newWallet();
    const body = await walletToAdd(platform.api, token, added, wallet);
    await platform.api.as(token).user.addWallet(body);
    const elsewhere = await signIn(platform.api, added);
    const stream = await openEventStream(`${platform.url}/3ds/challenges/events`, elsewhere.accessToken);
    expect((await platform.api.request('POST', '/auth/logout-all', { token })).body).toEqual({ success: true });
    expectCode(await platform.api.request('GET', '/user', { token }), 401, 'UNAUTHORIZED');
    await untilRejected('the gateway', async () => {
      const { status } = await platform.api.request('GET', '/user', { token: elsewhere.accessToken });
      if (status === 401) throw Object.assign(new Error('rejected'), { code: 'UNAUTHORIZED' });
    });
    await waitFor('the end of the stream', async () => stream.ended() || undefined);
    const { refreshToken } = elsewhere;
    expectCode(await platform.api.request('POST', '/auth/refresh', { body: { refreshToken } }), 401, 'INVALID_REFRESH_TOKEN');
    expect((await signIn(platform.api, wallet)).userId).toBeDefined();
  });
});

describe('POST /auth/logout', () => {
  it('revokes the tokens of the session immediately in the gateway, and soon in every service', async () => {
    const { token, refreshToken } = await registerPerson(platform.api);
    const services = serviceCalls();
    for (const call of Object.values(services)) await call(token);
    expect((await logout(token)).body).toEqual({ success: true });
    expectCode(await platform.api.request('GET', '/user', { token }), 401, 'UNAUTHORIZED');
    expectCode(await logout(token), 401, 'UNAUTHORIZED');
    for (const [name, call] of Object.entries(services)) await untilRejected(name, () => call(token));
    expectCode(await platform.api.request('POST', '/auth/refresh', { body: { refreshToken } }), 401, 'INVALID_REFRESH_TOKEN');
  });

  it('ends the streams of the session and no others', async () => {
    const { wallet, token } = await registerPerson(platform.api);
    const other = (await signIn(platform.api, wallet)).accessToken;
    const [mine, stays] = await Promise.all([token, other].map((one) => openEventStream(`${platform.url}/3ds/challenges/events`, one)));
    await mine?.until('ready', ({ event }) => event === 'ready');
    await stays?.until('ready', ({ event }) => event === 'ready');
    await logout(token);
    await waitFor('the end of the stream', async () => mine?.ended() || undefined);
    expect(stays?.ended()).toBe(false);
    await stays?.close();
  });

  it('works for wallets without a user; a repeat is rejected, even with the same Idempotency-Key', async () => {
    const { accessToken } = await signIn(platform.api, newWallet());
    const headers = { 'idempotency-key': randomUUID() };
    const once = await platform.api.request('POST', '/auth/logout', { token: accessToken, headers });
    expect(once.status).toBe(200);
    expectCode(await platform.api.request('POST', '/auth/logout', { token: accessToken, headers }), 401, 'UNAUTHORIZED');
  });
});

describe('the list of sessions', () => {
  it('contains all sessions, which can be ended one by one', async () => {
    const { wallet, token } = await registerPerson(platform.api);
    const other = (await signIn(platform.api, wallet)).accessToken;
    const page = await platform.api.as(token).auth.listSessions();
    expect(page).toMatchObject({
      data: [
        { id: sidOf(other), current: false, wallet: wallet.address, ip: expect.any(String), userAgent: expect.any(String) },
        { id: sidOf(token), current: true },
      ],
      pagination: { nextCursor: null, hasNext: false },
    });
    const stranger = await registerPerson(platform.api);
    const end = (as: string, id: string) => platform.api.request('DELETE', `/auth/sessions/${id}`, { token: as });
    expectCode(await end(stranger.token, sidOf(other)), 404, 'NOT_FOUND');
    expect((await end(token, sidOf(other))).status).toBe(200);
    expectCode(await platform.api.request('GET', '/user', { token: other }), 401, 'UNAUTHORIZED');
    expect((await platform.api.as(token).auth.listSessions()).data).toHaveLength(1);
  });
});

describe('while Redis is unavailable', () => {
  it('sessions stay valid, and a logout takes effect everywhere', async () => {
    const [leaving, staying] = [await registerPerson(platform.api), await registerPerson(platform.api)];
    const services = serviceCalls();
    for (const call of Object.values(services)) await call(leaving.token);
    await relay.cut();
    try {
      expect((await logout(leaving.token)).status).toBe(200);
      expectCode(await platform.api.request('GET', '/user', { token: leaving.token }), 401, 'UNAUTHORIZED');
      for (const [name, call] of Object.entries(services)) await untilRejected(name, () => call(leaving.token));
      expect((await platform.api.request('GET', '/user', { token: staying.token })).status).toBe(200);
    } finally {
      await relay.restore();
    }
  });
});
