import { randomUUID } from 'node:crypto';
import { openRedis, type Redis } from '@florin/data/redis';
import { testEngines } from '@florin/data/testing';
import { CodedError } from '@florin/rpc/errors';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { USER_ID, WALLET } from '../testing/fake-records.ts';
import { askAt, startTestGateway, type TestGateway } from '../testing/start-gateway.ts';
import { deriveKeys } from './keys.ts';
import { MAX_RECORDS } from './records.ts';

let gateway: TestGateway;
let redis: Redis;
beforeAll(async () => {
  gateway = await startTestGateway();
  redis = await openRedis(testEngines().redisUrl, quietLogger);
});
afterEach(() => gateway.fakes.reset());
afterAll(async () => {
  await gateway.close();
  redis.destroy();
});

const createCard = (key: string, cardName = 'x', token = gateway.userToken) =>
  gateway.ask('POST /cards/virtual', { token, headers: { 'idempotency-key': key }, body: { cardName } });
const requestIds = () => gateway.fakes.calls.map(({ request }) => request.requestId);
const simple = (error: string) => ({ success: false, error });
const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

describe('Idempotency-Key', () => {
  it('returns the first response again and calls the service once', async () => {
    const key = randomUUID();
    const first = await createCard(key);
    const second = await createCard(key);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers.get('cache-control')).toBe('no-store');
    expect(gateway.fakes.calls.filter(({ rpc }) => rpc === 'createVirtualCard')).toHaveLength(1);
  });

  it('judges a repeat of a rejected request again, also with corrected content', async () => {
    const key = randomUUID();
    gateway.refuse('createVirtualCard', 'PHONE_REQUIRED');
    expect(await createCard(key)).toMatchObject({ status: 422, body: simple('PHONE_REQUIRED') });
    gateway.fakes.reset();
    const second = await createCard(key, 'corrected');
    expect(second.status).toBe(200);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect((await createCard(key, 'corrected')).headers.get('idempotency-replayed')).toBe('true');
  });

  it('stores nothing for requests that are rejected', async () => {
    const key = randomUUID();
    gateway.refuse('endSession', 'NOT_FOUND');
    const request = { token: gateway.userToken, headers: { 'idempotency-key': key } };
    expect(await gateway.ask(`DELETE /auth/sessions/${randomUUID()}`, request)).toMatchObject({ status: 404 });
    const { recordName } = deriveKeys(key, { subject: `user:${USER_ID}`, operationId: 'endSession' });
    expect(await redis.exists(recordName)).toBe(0);
  });

  it('rejects different content under the same key, and a different path', async () => {
    const key = randomUUID();
    await createCard(key);
    expect(await createCard(key, 'y')).toMatchObject({ status: 422, body: simple('IDEMPOTENCY_KEY_REUSED') });
    const issue = (id: string) =>
      gateway.ask(`POST /3ds/challenges/${id}/decision-challenge`, {
        token: gateway.userToken,
        headers: { 'idempotency-key': key },
        body: { decision: 'approve' },
      });
    expect(await issue(USER_ID)).toMatchObject({ status: 200 });
    expect(await issue(randomUUID())).toMatchObject({ status: 422, body: simple('IDEMPOTENCY_KEY_REUSED') });
  });

  it('runs one of several concurrent requests and rejects the others', async () => {
    const key = randomUUID();
    const { open, opened } = gate();
    gateway.fakes.stub('createVirtualCard', async () => {
      await opened;
      throw new CodedError('CARD_LIMIT_REACHED');
    });
    const twins = Promise.all([createCard(key), createCard(key), createCard(key)]);
    await waitFor('the call', async () => (gateway.fakes.calls.length > 0 ? true : undefined));
    const early = await createCard(key);
    expect(early).toMatchObject({ status: 409, body: simple('IDEMPOTENCY_IN_PROGRESS') });
    expect(early.headers.get('retry-after')).toBe('1');
    expect(await createCard(key, 'other')).toMatchObject({ status: 422, body: simple('IDEMPOTENCY_KEY_REUSED') });
    open();
    const codes = (await twins).map(({ body }) => (body as { error: string }).error).sort();
    expect(codes.filter((code) => code === 'IDEMPOTENCY_IN_PROGRESS').length).toBeLessThanOrEqual(2);
    expect(codes[0]).toBe('CARD_LIMIT_REACHED');
    expect(gateway.fakes.calls.filter(({ rpc }) => rpc === 'createVirtualCard')).toHaveLength(1);
  });

  it.each(['INTERNAL_ERROR', 'CARD_ISSUING_FAILED', 'CARD_ORDER_LIMIT_REACHED', 'UNAUTHORIZED', 'CARD_LIMIT_REACHED'] as const)(
    'does not keep %s, and a retry reaches the service with the same request id',
    async (code) => {
      const key = randomUUID();
      gateway.fakes.stub('createVirtualCard', () => {
        throw new CodedError(code);
      });
      expect(await createCard(key)).toMatchObject({ body: simple(code) });
      gateway.fakes.stub('createVirtualCard', () => ({ card: { id: USER_ID } }));
      expect(await createCard(key)).toMatchObject({ status: 200, body: { cardId: USER_ID } });
      const [first, second] = requestIds();
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(second).toBe(first);
    },
  );

  it('retries with the same request id after the gateway was killed', async () => {
    const key = randomUUID();
    const scope = { subject: `user:${USER_ID}`, operationId: 'createVirtualCard' };
    const { open, opened } = gate();
    gateway.fakes.stub('createVirtualCard', async () => {
      await opened;
      return { card: { id: USER_ID } };
    });
    const lost = createCard(key);
    await waitFor('the call', async () => (gateway.fakes.calls.length > 0 ? true : undefined));
    const { recordName } = deriveKeys(key, scope);
    expect(await redis.pTTL(recordName)).toBeLessThanOrEqual(20_000);
    // Deleting the marker stands in for its expiry.
    await redis.del(recordName);
    const retry = createCard(key);
    await waitFor('the second call', async () => (gateway.fakes.calls.length > 1 ? true : undefined));
    open();
    expect((await retry).status).toBe(200);
    expect((await lost).status).toBe(200);
    expect(new Set(requestIds()).size).toBe(1);
    expect(await createCard(key)).toMatchObject({ status: 200 });
    expect(gateway.fakes.calls).toHaveLength(2);
  });

  it('is separate for each caller and operation', async () => {
    const key = randomUUID();
    const other = await gateway.authority.userToken({ wallet: WALLET, userId: randomUUID() });
    await createCard(key);
    await createCard(key, 'y', other);
    await gateway.ask('PATCH /phone', { token: gateway.userToken, headers: { 'idempotency-key': key }, body: { code: '123456' } });
    expect(new Set(requestIds()).size).toBe(3);
  });

  it('makes a sandbox transfer once, with a single hash', async () => {
    const key = randomUUID();
    const deposit = () =>
      gateway.ask('POST /sandbox/deposits', {
        token: gateway.userToken,
        headers: { 'idempotency-key': key },
        body: { token: 'EURe', amount: '5' },
      });
    gateway.fakes.stub('resolveDeposit', () => {
      throw new CodedError('SERVICE_UNAVAILABLE');
    });
    expect(await deposit()).toMatchObject({ status: 503 });
    gateway.fakes.stub('resolveDeposit', () => ({}));
    expect(await deposit()).toMatchObject({ status: 200 });
    const hashes = gateway.fakes.calls.filter(({ rpc }) => rpc === 'recordDeposit').map(({ request }) => request.txHash);
    expect(hashes).toHaveLength(2);
    expect(new Set(hashes).size).toBe(1);
  });

  it('uses a new request id each time without the header', async () => {
    await gateway.ask('POST /cards/virtual', { token: gateway.userToken, body: { cardName: 'x' } });
    await gateway.ask('POST /cards/virtual', { token: gateway.userToken, body: { cardName: 'x' } });
    expect(new Set(requestIds()).size).toBe(2);
  });

  it.each(['', 'x'.repeat(256), 'caf\u00e9'])('rejects the key %j', async (key) => {
    expect(await createCard(key)).toMatchObject({ status: 422, body: { kind: 'validation' } });
    expect(gateway.fakes.calls).toEqual([]);
  });

  it('stores neither key, code nor token in clear text, for a day', async () => {
    const key = randomUUID();
    await gateway.ask('POST /user', {
      token: gateway.walletToken,
      headers: { 'idempotency-key': key },
      body: { email: 'ann@example.org', otp: '123456' },
    });
    const { recordName } = deriveKeys(key, { subject: `wallet:${WALLET}`, operationId: 'registerUser' });
    const record = await redis.get(recordName);
    expect(record).not.toBeNull();
    expect(`${recordName}${record}`).not.toMatch(new RegExp(`${key}|a\\.b\\.c|123456|ann@|${USER_ID}`));
    const life = await redis.pTTL(recordName);
    expect(life > 86_000_000 && life <= 86_400_000).toBe(true);
  });

  it("tells nobody another one's response, and lets nothing happen twice, whatever somebody writes into Redis", async () => {
    const strangerId = randomUUID();
    const stranger = await gateway.authority.userToken({ wallet: WALLET, userId: strangerId });
    const [key, ownKey] = [randomUUID(), randomUUID()];
    const { text } = await createCard(key);
    await createCard(ownKey, 'x', stranger);
    const keys = deriveKeys(key, { subject: `user:${USER_ID}`, operationId: 'createVirtualCard' });
    const { recordName: ownName } = deriveKeys(ownKey, { subject: `user:${strangerId}`, operationId: 'createVirtualCard' });
    const [record = '', own = ''] = (await redis.mGet([keys.recordName, ownName])).map(String);
    const { answer } = JSON.parse(record) as { answer: string };
    for (const written of [record, JSON.stringify({ ...(JSON.parse(own) as object), answer }), '{}', 'x']) {
      await redis.set(ownName, written);
      const response = await createCard(ownKey, 'x', stranger);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.text).not.toBe(text);
    }
    // A record that was removed is asked for anew, as the same request, which the service knows.
    gateway.fakes.reset();
    await redis.del(keys.recordName);
    await createCard(key);
    expect(requestIds()).toEqual([keys.requestKey]);
  });

  it('limits the records of a caller, and still returns those that exist', async () => {
    const userId = randomUUID();
    const token = await gateway.authority.userToken({ wallet: WALLET, userId });
    const [kept, more] = [randomUUID(), randomUUID()];
    expect((await createCard(kept, 'x', token)).status).toBe(200);
    const { counterName, recordName } = deriveKeys(more, { subject: `user:${userId}`, operationId: 'createVirtualCard' });
    expect(await redis.get(counterName)).toBe('1');
    expect(await redis.pTTL(counterName)).toBeGreaterThan(86_000_000);
    await redis.set(counterName, String(MAX_RECORDS), { expiration: 'KEEPTTL' });
    const refused = await createCard(more, 'x', token);
    expect(refused).toMatchObject({ status: 429, body: simple('RATE_LIMITED') });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(await redis.exists(recordName)).toBe(0);
    expect((await createCard(kept, 'x', token)).headers.get('idempotency-replayed')).toBe('true');
    expect(gateway.fakes.calls.filter(({ rpc }) => rpc === 'createVirtualCard')).toHaveLength(1);
  });

  it('returns 503 while Redis is unavailable, and serves requests without the header', async () => {
    const proxy = await import('node:net').then(({ createServer, connect }) => {
      const target = new URL(testEngines().redisUrl);
      const sockets = new Set<import('node:net').Socket>();
      const server = createServer((socket) => {
        const upstream = connect(Number(target.port), target.hostname);
        for (const end of [socket, upstream]) {
          sockets.add(end);
          end.on('error', () => end.destroy());
        }
        socket.pipe(upstream).pipe(socket);
      });
      return new Promise<{ port: number; cut: () => void }>((resolve) => {
        server.listen(0, '127.0.0.1', () =>
          resolve({
            port: (server.address() as import('node:net').AddressInfo).port,
            cut: () => {
              server.close();
              for (const socket of sockets) socket.destroy();
            },
          }),
        );
      });
    });
    const app = await gateway.another({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` });
    proxy.cut();
    const options = { token: gateway.userToken, body: { cardName: 'x' } };
    const guarded = await waitFor('the loss of the connection', async () => {
      const answer = await askAt(app.url, 'POST /cards/virtual', { ...options, headers: { 'idempotency-key': randomUUID() } });
      return answer.status === 503 ? answer : undefined;
    });
    expect(guarded.body).toEqual(simple('SERVICE_UNAVAILABLE'));
    expect(await askAt(app.url, 'POST /cards/virtual', options)).toMatchObject({ status: 200 });
    expect(await askAt(app.url, 'GET /health/ready')).toMatchObject({ status: 503, body: { down: ['redis'] } });
    await app.close();
  });
});
