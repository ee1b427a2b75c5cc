import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WALLET } from '../testing/fake-records.ts';
import { askAt, startTestGateway, type TestGateway } from '../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ env: { RATE_LIMIT_PER_MINUTE: '3', AUTH_RATE_LIMIT_PER_MINUTE: '2', TRUST_PROXY: '1' } });
});
afterAll(() => gateway.close());

/** An unused address, because all test files share one Redis: a private IPv6 network (RFC 4193) has enough of them, and limits count a /56. */
const newIp = () =>
  `fd${randomBytes(6)
    .toString('hex')
    .replace(/^(..)(.{4})(.{4})(..)$/, '$1:$2:$3:$400')}::1`;
const user = () => gateway.authority.userToken({ wallet: WALLET, userId: randomUUID() });
const limited = { status: 429, body: { success: false, error: 'RATE_LIMITED' } };

describe('rate limits', () => {
  it('counts requests per user, returns the remaining quota, and rejects with Retry-After', async () => {
    const token = await user();
    const first = await gateway.ask('GET /cards', { token });
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit')).toMatch(/^"general"; r=2; t=\d+$/);
    expect(first.headers.get('ratelimit-policy')).toMatch(/^"general"; q=3; w=60; /);
    await gateway.ask('GET /cards', { token });
    await gateway.ask('GET /cards', { token });
    const refused = await gateway.ask('GET /cards', { token });
    expect(refused).toMatchObject(limited);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/^"general"; r=0; t=\d+$/);
    expect(await gateway.ask('GET /cards', { token: await user() })).toMatchObject({ status: 200 });
  });

  it('counts sign-ins per address across gateways', async () => {
    const other = await gateway.another();
    const ask = (url: string, ip: string) =>
      askAt(url, 'POST /auth/refresh', { headers: { 'x-forwarded-for': ip }, body: { refreshToken: 'r' } });
    const ip = newIp();
    const statuses: number[] = [];
    for (const url of [gateway.app.url, other.url, gateway.app.url, other.url, gateway.app.url, other.url]) {
      statuses.push((await ask(url, ip)).status);
    }
    // Two gateways may exceed a small limit by one request, see `createWindowCounts`.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(3);
    expect(await ask(gateway.app.url, ip)).toMatchObject(limited);
    expect(await ask(other.url, ip)).toMatchObject(limited);
    expect((await ask(other.url, newIp())).status).toBe(200);
    await other.close();
  });

  it('counts requests with invalid tokens per address', async () => {
    const headers = { 'x-forwarded-for': newIp() };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await gateway.ask('GET /cards', { token: 'a.b.c', headers })).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it.each([
    ['IPv4', () => `10.${randomBytes(3).join('.')}`, (ip: string, port: number) => `${ip}:${port}`],
    ['IPv6', newIp, (ip: string, port: number) => `[${ip}]:${port}`],
  ])('counts an address of %s once, whatever port a proxy appends to it', async (_family, newAddress, withPort) => {
    const ip = newAddress();
    const statuses: number[] = [];
    for (const address of [withPort(ip, 49_152), withPort(ip, 49_153), ip, withPort(ip, 8)]) {
      const headers = { 'x-forwarded-for': `198.51.100.7, ${address}` };
      statuses.push((await gateway.ask('GET /cards', { token: 'a.b.c', headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it('ignores X-Forwarded-For unless a proxy is configured', async () => {
    const closed = await gateway.another({ TRUST_PROXY: '', AUTH_RATE_LIMIT_PER_MINUTE: '1' });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const headers = { 'x-forwarded-for': newIp() };
      statuses.push((await askAt(closed.url, 'POST /auth/refresh', { headers, body: { refreshToken: 'r' } })).status);
    }
    // All tests share this address, and its window may end in between. Trusted addresses would never reach the limit.
    expect(statuses).toContain(429);
    await closed.close();
  });

  it('have a ceiling per address over all its users', async () => {
    const app = await gateway.another({ RATE_LIMIT_PER_MINUTE: '100', ADDRESS_RATE_LIMIT_PER_MINUTE: '4' });
    const ip = newIp();
    const ask = async (address: string) => askAt(app.url, 'GET /cards', { token: await user(), headers: { 'x-forwarded-for': address } });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await ask(ip)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    const other = await ask(newIp());
    expect(other.status).toBe(200);
    expect(other.headers.get('ratelimit')).not.toContain('address');
    expect(await ask(ip)).toMatchObject(limited);
    await app.close();
  });

  it('does not limit probes', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await gateway.ask('GET /health/live')).toMatchObject({ status: 200 });
  });
});
