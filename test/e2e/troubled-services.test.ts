import { randomUUID } from 'node:crypto';
import { startRedisRelay, testEngines } from '@florin/data/testing';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import { expectCode } from '../support/expect-answer.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { registerPerson } from '../support/story.ts';
import { startTroubledService, type Trouble } from '../support/troubled-service.ts';

/** Responses of a gateway whose services or engines fail in various ways, and its recovery without a restart. */

const OPERATIONS = {
  identity: '/user/terms',
  card: '/cards',
  ledger: '/user/balances/v2',
  threeds: '/3ds/challenges',
  vault: '/pci/access-log',
} as const;
type Service = keyof typeof OPERATIONS;
const SERVICES = Object.keys(OPERATIONS) as Service[];

let platform: PlatformInProcess;
let mongodb: Awaited<ReturnType<typeof startRedisRelay>>;
let redis: Awaited<ReturnType<typeof startRedisRelay>>;
let proxies: Record<Service, Awaited<ReturnType<typeof startTroubledService>>>;
let api: ApiClient;
let token: string;

beforeAll(async () => {
  const engines = testEngines();
  // It relays any TCP connection.
  mongodb = await startRedisRelay(engines.mongodbUri);
  redis = await startRedisRelay(engines.redisUrl);
  const { search } = new URL(engines.mongodbUri);
  platform = await startPlatformInProcess({ MONGODB_URI: `${mongodb.url.replace('redis:', 'mongodb:')}/${search}` }, { patience: 1 });
  const entries = SERVICES.map(async (name) => [name, await startTroubledService(platform.urls[`${name.toUpperCase()}_URL`] ?? '')]);
  proxies = Object.fromEntries(await Promise.all(entries)) as typeof proxies;
  const urls = Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, proxies[name].url]));
  const gateway = await platform.startGateway({ ...urls, REDIS_URL: redis.url });
  api = createApiClient(gateway.url);
  ({ token } = await registerPerson(api));
  for (const name of SERVICES) expect((await api.request('GET', OPERATIONS[name], { token })).status).toBe(200);
});
// A test that failed leaves no trouble to the next one.
afterEach(async () => {
  for (const name of SERVICES) proxies[name].set('none');
  for (const name of SERVICES) await recovers(OPERATIONS[name]);
});
afterAll(async () => {
  await platform?.close();
  await Promise.all([...Object.values(proxies ?? {}), mongodb, redis].map((one) => one?.close()));
});

const get = (path: string) => api.request('GET', path, { token });

const recovers = (path: string) => waitFor(`${path} to recover`, async () => ((await get(path)).status === 200 ? true : undefined));

describe.each(SERVICES)('when %s fails', (name) => {
  const others = SERVICES.filter((other) => other !== name);

  it.each<[Trouble, number, string]>([
    ['down', 503, 'SERVICE_UNAVAILABLE'],
    ['rubbish', 500, 'INTERNAL_ERROR'],
    ['truncated', 503, 'SERVICE_UNAVAILABLE'],
  ])(
    'because it is %s, its operations end with %i %s in time, and others are served',
    async (trouble, status, code) => {
      proxies[name].set(trouble);
      const failing = get(OPERATIONS[name]);
      for (const other of others) expect((await get(OPERATIONS[other])).status).toBe(200);
      expectCode(await failing, status, code);
      proxies[name].set('none');
      await recovers(OPERATIONS[name]);
    },
    30_000,
  );
});

it('of services that are silent, operations end in time, each at its own deadline, and others are served meanwhile', async () => {
  const isServed = async (names: readonly Service[]) => {
    for (const name of names) expect((await get(OPERATIONS[name])).status).toBe(200);
  };
  const failing: Promise<void>[] = [];
  // Every call waits for its deadline: they wait together. Identity, which all others may need, is the last.
  for (const [index, name] of SERVICES.toReversed().entries()) {
    proxies[name].set('silent');
    // In time: without a deadline the client's own would fail the test.
    failing.push(get(OPERATIONS[name]).then((answer) => expectCode(answer, 504, 'UPSTREAM_TIMEOUT')));
    await isServed(SERVICES.toReversed().slice(index + 1));
  }
  await Promise.all(failing);
  for (const name of SERVICES) proxies[name].set('none');
  for (const name of SERVICES) await recovers(OPERATIONS[name]);
}, 30_000);

describe('when a service is down under load', () => {
  it('retries are bounded', async () => {
    proxies.card.set('down');
    const before = proxies.card.requests();
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => get(OPERATIONS.card)));
      for (const answer of answers) expectCode(answer, 503, 'SERVICE_UNAVAILABLE');
    }
    expect(proxies.card.requests() - before).toBeGreaterThanOrEqual(200);
    expect(proxies.card.requests() - before).toBeLessThanOrEqual(200 + 20);
    proxies.card.set('none');
    await recovers(OPERATIONS.card);
  }, 30_000);
});

describe('when Redis is down', () => {
  it('reads are served, requests with an Idempotency-Key are rejected, and both work again afterwards', async () => {
    await redis.cut();
    for (const name of SERVICES) expect((await get(OPERATIONS[name])).status).toBe(200);
    const once = () => api.request('DELETE', `/auth/sessions/${randomUUID()}`, { token, headers: { 'idempotency-key': randomUUID() } });
    expectCode(await once(), 503, 'SERVICE_UNAVAILABLE');
    await redis.restore();
    await waitFor('Redis to recover', async () => ((await once()).status === 503 ? undefined : true));
  }, 30_000);
});

describe('when MongoDB is down', () => {
  it('operations that need it end with 503 in time, others are served, and all work again afterwards', async () => {
    await mongodb.cut();
    expectCode(await get('/cards'), 503, 'SERVICE_UNAVAILABLE');
    expect((await get('/terms')).status).toBe(200);
    expect((await get('/health/live')).status).toBe(200);
    await mongodb.restore();
    for (const name of SERVICES) await recovers(OPERATIONS[name]);
  }, 60_000);
});
