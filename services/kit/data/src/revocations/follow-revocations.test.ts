import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REVOKED_SESSIONS_PATH, REVOKED_SESSIONS_STREAM } from '@florin/proto/identity/v1/revocations';
import { createRevokedSessions, type RevokedSessions } from '@florin/rpc/auth';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openRedis, type Redis } from '../redis/index.ts';
import { startRedisRelay, testEngines } from '../testing/index.ts';
import { fetchRevocations, followRevocations, publishRevocations } from './index.ts';

const verdict = async (revoked: RevokedSessions, sessionId: string): Promise<string> => {
  try {
    await revoked.check(sessionId);
    return 'good';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const until = (revoked: RevokedSessions, sessionId: string, expected: string) =>
  waitFor(`${expected} for ${sessionId}`, async () => ((await verdict(revoked, sessionId)) === expected ? true : undefined));

let redis: Redis;
let relay: Awaited<ReturnType<typeof startRedisRelay>>;
/** The sessions that identity publishes; undefined when it is unavailable. */
let published: string[] | undefined;
let fetches = 0;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  redis = await openRedis(testEngines().redisUrl, quietLogger);
  relay = await startRedisRelay(testEngines().redisUrl);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  published = [];
  fetches = 0;
});
afterAll(async () => {
  await relay?.close();
  redis?.destroy();
});

const follow = async (clock: { now?: () => number } = {}, confirming: { now?: () => number } = {}) => {
  const own = await openRedis(relay.url, quietLogger);
  const revoked = createRevokedSessions(clock);
  const source = async () => {
    fetches += 1;
    if (published === undefined) throw new Error('identity is unavailable');
    return published;
  };
  const following = await followRevocations({ redis: own, source, revoked, logger: quietLogger, ...confirming });
  closers.push(following.close, () => own.destroy());
  return revoked;
};

describe('following revocations', () => {
  it('reads past revocations at the start and receives new ones', async () => {
    const many = Array.from({ length: 1100 }, () => randomUUID());
    await publishRevocations(redis, many);
    const revoked = await follow();
    for (const sessionId of many) expect(await verdict(revoked, sessionId)).toBe('UNAUTHORIZED');
    const next = randomUUID();
    expect(await verdict(revoked, next)).toBe('good');
    await publishRevocations(redis, [next]);
    await until(revoked, next, 'UNAUTHORIZED');
  });

  it('fetches from identity once at the start, in case Redis has lost data', async () => {
    const lost = randomUUID();
    published = undefined;
    const revoked = await follow();
    await waitFor('the first fetch', async () => (fetches > 0 ? true : undefined));
    published = [lost];
    await until(revoked, lost, 'UNAUTHORIZED');
    const before = fetches;
    const next = randomUUID();
    await publishRevocations(redis, [next]);
    await until(revoked, next, 'UNAUTHORIZED');
    expect(fetches).toBe(before);
  });

  it('fetches from identity while Redis is unavailable, and catches up afterwards', async () => {
    const revoked = await follow();
    await relay.cut();
    const [missed, fetched] = [randomUUID(), randomUUID()];
    await publishRevocations(redis, [missed]);
    published = [fetched];
    await until(revoked, fetched, 'UNAUTHORIZED');
    await relay.restore();
    await until(revoked, missed, 'UNAUTHORIZED');
  });

  it('rejects every session while neither source is available', async () => {
    // The clock runs 2.5 times as fast, so that five seconds without news pass in two.
    const revoked = await follow({ now: () => performance.now() * 2.5 });
    const session = randomUUID();
    expect(await verdict(revoked, session)).toBe('good');
    published = undefined;
    await relay.cut();
    await until(revoked, session, 'SERVICE_UNAVAILABLE');
    published = [];
    await until(revoked, session, 'good');
    published = undefined;
    await until(revoked, session, 'SERVICE_UNAVAILABLE');
    await relay.restore();
    await until(revoked, session, 'good');
  });

  it('fetches from identity although Redis responds, because somebody may have removed an entry', async () => {
    let ahead = 0;
    const revoked = await follow({}, { now: () => performance.now() + ahead });
    await waitFor('the first fetch', async () => (fetches > 0 ? true : undefined));
    const removed = randomUUID();
    published = [removed];
    expect(await verdict(revoked, removed)).toBe('good');
    ahead = 30_000;
    await until(revoked, removed, 'UNAUTHORIZED');
  });

  it('ignores entries without a session', async () => {
    const revoked = await follow();
    await redis.xAdd(REVOKED_SESSIONS_STREAM, '*', { other: 'thing' });
    const next = randomUUID();
    await publishRevocations(redis, [next]);
    await until(revoked, next, 'UNAUTHORIZED');
  });
});

describe('the published document', () => {
  const serve = async (status: number, body: string) => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === REVOKED_SESSIONS_PATH ? status : 404).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    return fetchRevocations(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  };

  it('is read as a list of sessions', async () => {
    const fetchSessions = await serve(200, '{"sessions":["a","b"]}');
    expect(await fetchSessions()).toEqual(['a', 'b']);
  });

  it.each([
    [503, '{"sessions":[]}'],
    [200, '{}'],
    [200, 'not JSON'],
    [200, '{"sessions":[1]}'],
  ])('is rejected with status %s and body %s', async (status, body) => {
    const fetchSessions = await serve(status, body);
    await expect(fetchSessions()).rejects.toThrow();
  });
});
