import { CodedError } from '@florin/rpc/errors';
import { fakeClock } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { USER_ID, WALLET } from '../../testing/fake-records.ts';
import { askAt, startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

describe('sign-in', () => {
  it('creates a message to sign', async () => {
    const answer = await gateway.ask(`GET /auth/siwe/${WALLET}?domain=app.example.org&uri=https://app.example.org/in`);
    expect(answer).toMatchObject({ status: 200, body: { message: 'sign this' } });
    expect(gateway.callOf('createSiweMessage')?.request).toMatchObject({
      address: WALLET,
      domain: 'app.example.org',
      uri: 'https://app.example.org/in',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/auth/siwe/0x12?domain=a&uri=b', `/auth/siwe/${WALLET}?uri=b`, `/auth/siwe/${WALLET}?domain=a`])('rejects %s', async (path) => {
    expect(await gateway.ask(`GET ${path}`)).toMatchObject({ status: 422, body: { kind: 'validation', success: false } });
  });

  it('opens a session with the address and user agent of the caller', async () => {
    const answer = await gateway.ask('POST /auth/siwe', { body: { message: 'm', signature: '0xab' }, headers: { 'user-agent': 'test' } });
    expect(answer).toMatchObject({ status: 200, body: { accessToken: 'a.b.c', refreshToken: 'refresh' } });
    expect(answer.body).not.toHaveProperty('userId');
    expect((answer.body as { expiresIn: number }).expiresIn).toBeGreaterThan(800);
    expect(gateway.callOf('signIn')?.request).toMatchObject({ message: 'm', signature: '0xab', userAgent: 'test', ip: '127.0.0.1' });
  });

  it.each(['INVALID_SIGNATURE', 'NONCE_EXPIRED', 'NONCE_USED'] as const)('responds to %s with 401', async (code) => {
    gateway.refuse('signIn', code);
    const answer = await gateway.ask('POST /auth/siwe', { body: { message: 'm', signature: '0xab' } });
    expect(answer).toMatchObject({ status: 401, body: { success: false, error: code } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('refreshes the tokens', async () => {
    expect(await gateway.ask('POST /auth/refresh', { body: { refreshToken: 'r' } })).toMatchObject({
      status: 200,
      body: { userId: USER_ID },
    });
    gateway.refuse('refreshSession', 'REFRESH_TOKEN_REUSED');
    expect(await gateway.ask('POST /auth/refresh', { body: { refreshToken: 'r' } })).toMatchObject({ status: 401 });
  });

  it("returns 500 when a service rejects the gateway's own token", async () => {
    gateway.refuse('signIn', 'FORBIDDEN');
    const answer = await gateway.ask('POST /auth/siwe', { body: { message: 'm', signature: '0xab' } });
    expect(answer).toMatchObject({ status: 500, body: { success: false, error: 'INTERNAL_ERROR' } });
  });

  it('sends an e-mail code to a wallet and to a user', async () => {
    expect(await gateway.asWallet('POST /email-verification', { email: 'ann@example.org' })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await gateway.asUser('POST /email-verification', { email: 'ann@example.org' })).toMatchObject({ status: 200 });
  });

  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['it, fr;q=0.5, en;q=0.4', 'fr'],
    ['pl', 'en'],
    ['', 'en'],
  ])('sends a code to a reader of %j in %s', async (accepted, language) => {
    const request = { token: gateway.walletToken, body: { email: 'ann@example.org' }, headers: { 'accept-language': accepted } };
    await gateway.ask('POST /email-verification', request);
    expect(gateway.callOf('sendEmailCode')?.request).toMatchObject({ language });
  });

  it('returns the limit of a service with Retry-After and a RateLimit field', async () => {
    gateway.fakes.stub('sendEmailCode', () => {
      throw new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: '27' } });
    });
    const answer = await gateway.asWallet('POST /email-verification', { email: 'ann@example.org' });
    expect(answer).toMatchObject({ status: 429, body: { success: false, error: 'RATE_LIMITED' } });
    expect(answer.headers.get('retry-after')).toBe('27');
    expect(answer.headers.get('ratelimit')).toContain('"operation"; r=0; t=27');
  });
});

describe('keys', () => {
  it('contain public parts only', async () => {
    const answer = await gateway.ask('GET /.well-known/jwks.json');
    expect(answer).toMatchObject({ status: 200, body: { keys: [{ kty: 'OKP', crv: 'Ed25519' }] } });
    expect(answer.text).not.toContain('private');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=25');
  });

  it('stay available while identity is unavailable', async () => {
    const clock = fakeClock();
    const app = await gateway.another({}, { runtime: { now: clock.now } });
    const first = await askAt(app.url, 'GET /.well-known/jwks.json');
    gateway.fakes.keysAvailable = false;
    clock.advanceSeconds(3600);
    expect(await askAt(app.url, 'GET /.well-known/jwks.json')).toMatchObject({ status: 200, body: first.body });
    gateway.fakes.keysAvailable = true;
    await app.close();
  });

  it('return 503 if they were never fetched', async () => {
    gateway.fakes.keysAvailable = false;
    const fresh = await gateway.another();
    const response = await fetch(`${fresh.url}/.well-known/jwks.json`);
    expect([response.status, await response.json()]).toEqual([503, { success: false, error: 'SERVICE_UNAVAILABLE' }]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    await fresh.close();
    gateway.fakes.keysAvailable = true;
  });
});
