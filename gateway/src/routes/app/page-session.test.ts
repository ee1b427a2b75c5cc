import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tokens, USER_ID, WALLET } from '../../testing/fake-records.ts';
import { type Answer, askAt, startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
let own: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  own = gateway.app.url;
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const SIGNED = { message: 'm', signature: '0xab' };
const OPEN = 'POST /app/session';
const REFRESH = 'POST /app/session/refresh';
const END = 'DELETE /app/session';

const page = (more: Record<string, string> = {}) => ({ origin: own, 'x-florin-app': '1', ...more });
const withCookie = (value: string) => page({ cookie: `theme=dark; florin-session=${value}` });
const cookieOf = ({ headers }: Answer) => headers.get('set-cookie');

describe('the session of a page', () => {
  it('opens with a signed message, and keeps the refresh token from scripts', async () => {
    const answer = await gateway.ask(OPEN, { body: SIGNED, headers: page({ 'user-agent': 'test' }) });
    expect(answer).toMatchObject({ status: 200, body: { accessToken: 'a.b.c', expiresIn: expect.any(Number) } });
    expect(answer.body).not.toHaveProperty('refreshToken');
    expect(cookieOf(answer)).toBe('florin-session=refresh; Path=/app/session; Max-Age=604800; HttpOnly; SameSite=Strict');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(gateway.callOf('signIn')?.request).toMatchObject({ ...SIGNED, userAgent: 'test', ip: '127.0.0.1' });
  });

  it('sends the cookie over https only, unless it is on this machine', async () => {
    const PUBLIC_URL = 'https://cards.example.org/api,https://other.example.org';
    const live = await gateway.another({ PUBLIC_URL, TRUST_PROXY: 'loopback' });
    // The proxy of the last one neither tells the scheme nor keeps the Host header.
    for (const [origin, forwarded] of [
      ['https://cards.example.org', { 'x-forwarded-proto': 'https' }],
      ['https://other.example.org', {}],
    ] as const) {
      const headers = page({ origin, ...forwarded });
      const answer = await askAt(live.url, OPEN, { body: SIGNED, headers });
      expect(cookieOf(answer)).toBe('__Host-florin-session=refresh; Path=/; Secure; Max-Age=604800; HttpOnly; SameSite=Strict');
    }
    await live.close();
  });

  it('is none with a cookie that another host of the site could have set', async () => {
    const origin = 'https://cards.example.org';
    const live = await gateway.another({ PUBLIC_URL: origin });
    for (const name of ['florin-session', '__Secure-florin-session']) {
      const answer = await askAt(live.url, REFRESH, { headers: page({ origin, cookie: `${name}=theirs` }) });
      expect(answer).toMatchObject({ status: 401, body: { error: 'INVALID_REFRESH_TOKEN' } });
    }
    expect(gateway.callOf('refreshSession')).toBeUndefined();
    const answer = await askAt(live.url, REFRESH, { headers: page({ origin, cookie: '__Host-florin-session=own' }) });
    expect(answer.status).toBe(200);
    expect(gateway.callOf('refreshSession')?.request).toMatchObject({ refreshToken: 'own' });
    await live.close();
  });

  it.each(['INVALID_SIGNATURE', 'NONCE_EXPIRED', 'NONCE_USED'] as const)('does not open after %s', async (code) => {
    gateway.refuse('signIn', code);
    const answer = await gateway.ask(OPEN, { body: SIGNED, headers: page() });
    expect(answer).toMatchObject({ status: 401, body: { success: false, error: code } });
    expect(cookieOf(answer)).toBeNull();
  });

  it('goes on with the cookie, which the next one replaces', async () => {
    const answer = await gateway.ask(REFRESH, { headers: withCookie('first') });
    expect(answer).toMatchObject({ status: 200, body: { accessToken: 'a.b.c', userId: USER_ID } });
    expect(answer.body).not.toHaveProperty('refreshToken');
    expect(cookieOf(answer)).toContain('florin-session=refresh;');
    expect(gateway.callOf('refreshSession')?.request).toMatchObject({ refreshToken: 'first', dpopJkt: '' });
  });

  it.each(['INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED'] as const)('is over after %s, and the cookie is gone', async (code) => {
    gateway.refuse('refreshSession', code);
    const answer = await gateway.ask(REFRESH, { headers: withCookie('old') });
    expect(answer).toMatchObject({ status: 401, body: { success: false, error: code } });
    expect(cookieOf(answer)).toBe('florin-session=; Path=/app/session; Max-Age=0; HttpOnly; SameSite=Strict');
  });

  it('keeps the cookie when identity does not answer', async () => {
    gateway.refuse('refreshSession', 'SERVICE_UNAVAILABLE');
    const answer = await gateway.ask(REFRESH, { headers: withCookie('first') });
    expect([answer.status, cookieOf(answer)]).toEqual([503, null]);
  });

  it.each([
    ['no cookie', ''],
    ['an empty cookie', 'florin-session='],
    ['two cookies, one of them set by somebody else', 'florin-session=a; florin-session=b'],
    ['what cannot be a token', 'florin-session=a b'],
    ['a cookie with another prefix', '__Host-florin-session=first'],
  ])('is none with %s', async (_name, cookie) => {
    expect(await gateway.ask(REFRESH, { headers: page({ cookie }) })).toMatchObject({
      status: 401,
      body: { error: 'INVALID_REFRESH_TOKEN' },
    });
    expect(gateway.callOf('refreshSession')).toBeUndefined();
  });

  /** Lets identity return a new access token for a cookie, and returns that token. */
  const refreshesTo = async () => {
    const accessToken = await gateway.authority.userToken({ wallet: WALLET, userId: USER_ID });
    gateway.fakes.stub('refreshSession', () => ({ tokens: { ...tokens(), accessToken } }));
    return accessToken;
  };

  it('ends, also when the access token has expired, and its tokens are rejected at once', async () => {
    const accessToken = await refreshesTo();
    const answer = await gateway.ask(END, { headers: withCookie('first') });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(cookieOf(answer)).toContain('florin-session=; Path=/app/session; Max-Age=0');
    expect(gateway.callOf('refreshSession')?.request).toMatchObject({ refreshToken: 'first' });
    expect(gateway.callOf('endCurrentSession')).toBeDefined();
    expect(await gateway.ask('GET /cards', { token: accessToken })).toMatchObject({ status: 401 });
  });

  it('has ended when there is no cookie, or its session is over', async () => {
    expect(await gateway.ask(END, { headers: page() })).toMatchObject({ status: 200 });
    gateway.refuse('refreshSession', 'REFRESH_TOKEN_REUSED');
    const answer = await gateway.ask(END, { headers: withCookie('old') });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(cookieOf(answer)).toContain('Max-Age=0');
    expect(gateway.callOf('endCurrentSession')).toBeUndefined();
  });

  it('stays when it could not be ended, for another attempt', async () => {
    await refreshesTo();
    gateway.refuse('endCurrentSession', 'SERVICE_UNAVAILABLE');
    const answer = await gateway.ask(END, { headers: withCookie('first') });
    expect([answer.status, cookieOf(answer)]).toEqual([503, null]);
  });
});

describe('the session of a page is closed to', () => {
  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of this host', { origin: 'http://127.0.0.1:1' }],
    ['an origin that begins like this one', { origin: 'https://127.0.0.1.evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a request without the header', { 'x-florin-app': '' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the site', { 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { 'sec-fetch-site': 'none' }],
  ])('%s', async (_name, headers: Record<string, string>) => {
    for (const target of [OPEN, REFRESH, END]) {
      const answer = await gateway.ask(target, { body: SIGNED, headers: { ...withCookie('first'), ...headers } });
      expect(answer).toMatchObject({ status: 403, body: { success: false, error: 'FORBIDDEN' } });
      expect(cookieOf(answer)).toBeNull();
    }
    expect(gateway.fakes.calls).toEqual([]);
  });

  it('a client that sends no origin', async () => {
    expect(await gateway.ask(REFRESH, { headers: { 'x-florin-app': '1', cookie: 'florin-session=first' } })).toMatchObject({ status: 403 });
  });

  it('the origin of the Host header where the public URL is known', async () => {
    const live = await gateway.another({ PUBLIC_URL: 'https://cards.example.org' });
    expect(await askAt(live.url, REFRESH, { headers: { ...withCookie('first'), origin: live.url } })).toMatchObject({ status: 403 });
    await live.close();
  });

  it('web apps of partners: a browser does not send what its preflight request asks for', async () => {
    const live = await gateway.another({ PARTNERS: JSON.stringify([{ domains: ['app.example.org'] }]) });
    const origin = 'https://app.example.org';
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-florin-app' };
    const { headers } = await askAt(live.url, 'OPTIONS /app/session', { headers: asked });
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain('x-florin-app');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(await askAt(live.url, REFRESH, { headers: { ...withCookie('first'), origin } })).toMatchObject({ status: 403 });
    await live.close();
  });

  it('everyone when the app is switched off, and to the documented interface', async () => {
    const live = await gateway.another({ SERVE_APP: 'false' });
    expect(await askAt(live.url, REFRESH, { headers: { ...withCookie('first'), origin: live.url } })).toMatchObject({ status: 404 });
    await live.close();
    expect((await gateway.ask('GET /openapi.json')).text).not.toContain('/app/session');
  });
});
