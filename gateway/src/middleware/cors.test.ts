import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAt, startTestGateway, type TestGateway } from '../testing/start-gateway.ts';
import { isPartnerOrigin } from './cors.ts';

const APP = 'https://app.example.org';
const PARTNERS = [
  { id: 'one', name: 'One', domains: ['App.example.org'] },
  { id: 'two', name: 'Two', domains: ['wallet.example.net:8443'] },
  { id: 'three', name: 'Three' },
];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ env: { PARTNERS: JSON.stringify(PARTNERS), RATE_LIMIT_PER_MINUTE: '1000' } });
});
afterAll(() => gateway.close());

const preflight = (path: string, origin: string, method = 'POST') =>
  gateway.ask(`OPTIONS ${path}`, {
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization,content-type' },
  });
const listOf = (value: string | null) => (value ?? '').split(', ');

describe('CORS', () => {
  it('answers the preflight request of a partner with the methods of the path', async () => {
    const answer = await preflight('/user', APP);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
    expect(answer.headers.get('access-control-allow-methods')).toBe('POST, GET, HEAD, DELETE');
    const allowed = ['Authorization', 'Content-Type', 'DPoP', 'Idempotency-Key', 'Last-Event-ID', 'X-Request-Id'];
    expect(listOf(answer.headers.get('access-control-allow-headers'))).toEqual(expect.arrayContaining(allowed));
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  it.each(['/3ds/challenges/01890a5d-ac96-774b-bcce-b302099a8003/decision', '/auth/siwe', '/openapi.json'])('covers %s', async (path) => {
    expect((await preflight(path, 'https://wallet.example.net:8443')).status).toBe(204);
  });

  it('lets a partner read responses, errors and their headers', async () => {
    const headers = { origin: APP };
    const exposed = ['X-Request-Id', 'Idempotency-Replayed', 'Link', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate'];
    for (const [target, token, status] of [
      ['GET /cards', gateway.userToken, 200],
      ['GET /cards', undefined, 401],
      ['GET /nothing', undefined, 404],
      ['PUT /cards', undefined, 405],
    ] as const) {
      const answer = await gateway.ask(target, { token, headers });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
      expect(listOf(answer.headers.get('access-control-expose-headers'))).toEqual(expect.arrayContaining(exposed));
    }
  });

  it('allows no other origin', async () => {
    for (const origin of ['https://evil.example', 'null', `${APP}.evil.example`, 'https://evil.example?app.example.org']) {
      const answer = await preflight('/user', origin);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      const read = await gateway.ask('GET /cards', { token: gateway.userToken, headers: { origin } });
      expect(read.headers.get('access-control-allow-origin')).toBeNull();
      expect(read.headers.get('vary')).toContain('Origin');
    }
  });

  it('allows the local machine in a sandbox only', async () => {
    const origin = 'http://localhost:5173';
    expect((await preflight('/user', origin)).headers.get('access-control-allow-origin')).toBe(origin);
    const live = await gateway.another({ SANDBOX: 'false' });
    const headers = { origin, 'access-control-request-method': 'POST' };
    expect(await askAt(live.url, 'OPTIONS /user', { headers })).toMatchObject({ status: 405 });
    expect(await askAt(live.url, 'OPTIONS /user', { headers: { ...headers, origin: APP } })).toMatchObject({ status: 204 });
    await live.close();
  });

  it('rejects a method override without a preflight request', async () => {
    expect(await gateway.ask('OPTIONS /user', { headers: { origin: APP } })).toMatchObject({ status: 405 });
  });
});

describe('an origin', () => {
  const partners = [{ domains: ['app.example.org', 'localhost:3000'] }];
  it.each([
    ['https://app.example.org', false, true],
    ['http://app.example.org', false, false],
    ['http://app.example.org', true, true],
    ['http://localhost:3000', false, true],
    ['http://localhost:3001', false, false],
    ['http://127.0.0.1:9', true, true],
    ['https://app.example.org:444', true, false],
    ['https://user@app.example.org', true, false],
    ['https://app.example.org/', true, false],
    ['ftp://app.example.org', true, false],
    ['https://localhost.evil.example', true, false],
    ['', true, false],
  ])('%s, sandbox %s, is allowed: %s', (origin, sandbox, allowed) => {
    expect(isPartnerOrigin(origin, partners, sandbox)).toBe(allowed);
  });
});
