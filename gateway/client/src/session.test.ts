import { describe, expect, it } from 'vitest';
import { createClient, createCookieSession, createMemoryStore, createSession, type SessionState } from './index.ts';
import { type Behave, failure, json, scriptedFetch } from './testing.ts';

type Pair = { accessToken: string; refreshToken: string };

/** A gateway whose refresh tokens work once. `expire` rejects the access token in use. */
const rotatingGateway = () => {
  let generation = 0;
  let accepted = 'a0';
  let refreshes = 0;
  const pair = (): Pair & { expiresIn: number; userId: string } => {
    accepted = `a${generation}`;
    return { accessToken: accepted, refreshToken: `r${generation}`, expiresIn: 900, userId: 'u' };
  };
  const behave: Behave = async ({ url, headers, body }) => {
    const { pathname } = new URL(url);
    if (pathname === '/auth/siwe') return json(200, pair());
    if (pathname === '/auth/refresh') {
      refreshes += 1;
      if ((body as Partial<Pair>).refreshToken !== `r${generation}`) return failure(401, 'REFRESH_TOKEN_REUSED');
      generation += 1;
      return json(200, pair());
    }
    if (pathname === '/auth/logout') return json(200, { success: true });
    return headers.get('authorization') === `Bearer ${accepted}` ? json(200, { id: 'u' }) : failure(401, 'UNAUTHORIZED');
  };
  return {
    behave,
    refreshes: () => refreshes,
    expire: () => {
      accepted = '';
    },
    end: () => {
      accepted = '';
      generation += 1;
    },
  };
};

const SIGNED = { message: 'm', signature: '0x' };

const signedIn = async (options: { now?: () => number } = {}) => {
  const gateway = rotatingGateway();
  const { fetch, seen } = scriptedFetch(gateway.behave);
  const client = createClient({ url: 'http://gateway', fetch, retryPauseMs: 1, ...options });
  const states: SessionState[] = [];
  client.session.onChange((state) => states.push(state));
  await client.auth.signIn(SIGNED);
  return { gateway, client, states, seen };
};

describe('a session', () => {
  it('begins with the sign-in and ends with the logout', async () => {
    const { client, states } = await signedIn();
    expect([await client.session.isSignedIn(), await client.session.userId()]).toEqual([true, 'u']);
    await client.auth.logout();
    expect([await client.session.isSignedIn(), await client.session.userId()]).toEqual([false, undefined]);
    expect(states).toEqual(['signed-in', 'signed-out']);
  });

  it('is refreshed once for all calls that are rejected at once', async () => {
    const { gateway, client } = await signedIn();
    gateway.expire();
    await Promise.all(Array.from({ length: 20 }, () => client.user.getUser()));
    expect(gateway.refreshes()).toBe(1);
  });

  it('is refreshed shortly before its token expires', async () => {
    let now = 1_000_000;
    const { gateway, client } = await signedIn({ now: () => now });
    now += 869_000;
    await client.user.getUser();
    expect(gateway.refreshes()).toBe(0);
    now += 2000;
    await Promise.all([client.user.getUser(), client.user.getUser()]);
    expect(gateway.refreshes()).toBe(1);
  });

  it('that is over says so', async () => {
    const { gateway, client, states } = await signedIn();
    gateway.end();
    const outcomes = await Promise.all([client.user.getUser().result(), client.user.getUser().result()]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, error: { code: 'UNAUTHORIZED', status: 401 } });
    expect(states).toEqual(['signed-in', 'signed-out']);
    expect(await client.session.refresh()).toBe(false);
  });

  it('goes on when the platform cannot be reached for a refresh', async () => {
    const gateway = rotatingGateway();
    let isDown = false;
    const { fetch } = scriptedFetch((seen, init) => {
      if (isDown && seen.url.endsWith('/auth/refresh')) throw new TypeError('fetch failed');
      return gateway.behave(seen, init);
    });
    const client = createClient({ url: 'http://gateway', fetch, retryPauseMs: 1 });
    await client.auth.signIn(SIGNED);
    gateway.expire();
    isDown = true;
    await expect(client.user.getUser()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(await client.session.isSignedIn()).toBe(true);
    isDown = false;
    expect(await client.user.getUser()).toEqual({ id: 'u' });
  });

  it('is not refreshed again by itself when the used token would end it', async () => {
    const gateway = rotatingGateway();
    let isSlow = false;
    const { fetch, seen } = scriptedFetch((request, init) => {
      if (isSlow && request.url.endsWith('/auth/refresh')) return failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '9' });
      return gateway.behave(request, init);
    });
    const client = createClient({ url: 'http://gateway', fetch });
    await client.auth.signIn(SIGNED);
    gateway.expire();
    isSlow = true;
    await expect(client.user.getUser()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(seen.filter(({ url }) => url.endsWith('/auth/refresh'))).toHaveLength(1);
  });

  it('that two tabs share is refreshed by one of them', async () => {
    const gateway = rotatingGateway();
    const { fetch } = scriptedFetch(gateway.behave);
    const store = createMemoryStore();
    const tab = () => createClient({ url: 'http://gateway', fetch, session: createSession({ store, lock: 'tabs' }) });
    const tabs = [tab(), tab()] as const;
    await tabs[0].auth.signIn(SIGNED);
    gateway.expire();
    await Promise.all([0, 1, 2, 3, 4, 5].map((index) => tabs[index % 2 === 0 ? 0 : 1].user.getUser()));
    expect(gateway.refreshes()).toBe(1);
  });

  it('does not keep a caller waiting who has given up', async () => {
    const { gateway, client } = await signedIn();
    gateway.expire();
    const controller = new AbortController();
    const call = client.user.getUser({}, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(await client.user.getUser()).toEqual({ id: 'u' });
  });
});

describe('a session with a cookie', () => {
  it('uses the endpoints of the app and never shows a refresh token', async () => {
    const { fetch, seen } = scriptedFetch(({ method }) =>
      json(200, method === 'DELETE' ? { success: true } : { accessToken: 'a', expiresIn: 900, userId: 'u' }),
    );
    const client = createClient({ url: 'http://gateway', fetch, session: createCookieSession() });
    await client.auth.signIn(SIGNED);
    expect(await client.session.refresh()).toBe(true);
    await client.session.end();
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', 'http://gateway/app/session', SIGNED],
      ['POST', 'http://gateway/app/session/refresh', undefined],
      ['DELETE', 'http://gateway/app/session', undefined],
    ]);
    for (const { headers } of seen) expect(headers.get('x-florin-app')).toBe('1');
  });

  it('that another tab has replaced by somebody else’s is over here: nothing is done as that person', async () => {
    let person = 'u1';
    const { fetch, seen } = scriptedFetch(({ url, headers }) => {
      if (url.includes('/app/session')) return json(200, { accessToken: `of ${person}`, expiresIn: 900, userId: person });
      return headers.get('authorization') === `Bearer of ${person}` ? json(200, { id: person }) : failure(401, 'UNAUTHORIZED');
    });
    const client = createClient({ url: 'http://gateway', fetch, session: createCookieSession() });
    const states: SessionState[] = [];
    client.session.onChange((state) => states.push(state));
    await client.auth.signIn(SIGNED);
    person = 'u2';
    await expect(client.user.getUser()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(states).toEqual(['signed-in', 'signed-out']);
    expect(seen.some(({ headers }) => headers.get('authorization') === 'Bearer of u2')).toBe(false);
    // A caller that asks for the current session gets it.
    expect([await client.session.refresh(), await client.session.userId()]).toEqual([true, 'u2']);
  });

  it('does not exist before the first sign-in', async () => {
    const { fetch } = scriptedFetch(() => failure(401, 'INVALID_REFRESH_TOKEN'));
    const client = createClient({ url: 'http://gateway', fetch, session: createCookieSession() });
    expect(await client.session.refresh()).toBe(false);
  });
});

describe('a token of the caller’s own', () => {
  it('is asked for again after a rejection', async () => {
    const tokens = ['old', 'old', 'new'];
    const { fetch, seen } = scriptedFetch(({ headers }) =>
      headers.get('authorization') === 'Bearer new' ? json(200, { data: [] }) : failure(401, 'UNAUTHORIZED'),
    );
    const client = createClient({ url: 'http://gateway', fetch, token: () => tokens.shift() ?? 'new' });
    await expect(client.webhooks.listWebhookEndpoints()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await client.webhooks.listWebhookEndpoints()).toEqual({ data: [] });
    expect(seen).toHaveLength(2);
  });
});
