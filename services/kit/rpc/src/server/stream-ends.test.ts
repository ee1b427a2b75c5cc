import { createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { afterEach, describe, expect, it } from 'vitest';
import type { Caller } from '../auth/index.ts';
import { fromWire } from '../errors/index.ts';
import { quietLogger, waitFor } from '../testing/index.ts';
import { createStreamWorld } from '../testing/stream-world.ts';
import { testContract } from '../testing/test-contract.ts';
import { implement, type Listener, publicMethod, serviceStream, startRpcServer } from './index.ts';

const SCOPE = 'threeds.challenges.read';
const LIFE_MS = 300;

const { counts, lines, start } = await createStreamWorld();

const servers: Listener[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});
const started = async (...options: Parameters<typeof start>): Promise<Listener> => {
  const server = await start(...options);
  servers.push(server);
  return server;
};

/** Accepts every bearer as the client of that name, with a token that expires. */
const namedCallers =
  (lifeMs: number) =>
  async (authorization: string | null | undefined): Promise<Caller> => ({
    kind: 'service',
    name: (authorization ?? '').slice('Bearer '.length),
    scopes: new Set([SCOPE]),
    expiresAt: new Date(Date.now() + lifeMs),
  });

const clientOf = (url: string) => createClient(ChallengeService, createGrpcTransport({ baseUrl: url }));
const watch = (url: string, challengeId: string, name = 'office', signal = new AbortController().signal) =>
  clientOf(url)
    .watchChallenge({ challengeId }, { headers: { authorization: `Bearer ${name}` }, signal })
    [Symbol.asyncIterator]();

describe('a stream whose token expires', () => {
  it.each([
    ['gRPC', (baseUrl: string) => createGrpcTransport({ baseUrl })],
    ['gRPC-Web', (baseUrl: string) => createGrpcWebTransport({ baseUrl, httpVersion: '1.1' })],
    ['Connect over HTTP/1.1', (baseUrl: string) => createConnectTransport({ baseUrl, httpVersion: '1.1' })],
    ['Connect over HTTP/2', (baseUrl: string) => createConnectTransport({ baseUrl, httpVersion: '2' })],
  ] as const)('ends with UNAUTHORIZED after what was sent: %s', async (_name, transportOf) => {
    const server = await started({ authenticate: namedCallers(LIFE_MS) });
    const client = createClient(ChallengeService, transportOf(server.url));
    const ids: string[] = [];
    const reading = (async () => {
      for await (const { challenge } of client.watchChallenge({ challengeId: 'waiting' }, { headers: { authorization: 'Bearer office' } }))
        ids.push(challenge?.id ?? '');
    })();
    const error = await reading.then(
      () => undefined,
      (thrown) => fromWire(thrown),
    );
    expect(error).toMatchObject({ code: 'UNAUTHORIZED', metadata: { tokenProblem: 'expired' } });
    expect(ids).toEqual(['1', '2']);
  });

  it('ends even if its source never settles, and is logged as a rejection', async () => {
    const server = await started({ authenticate: namedCallers(LIFE_MS) });
    const before = lines.length;
    const stream = watch(server.url, 'deaf');
    await stream.next();
    await stream.next();
    await expect(stream.next()).rejects.toThrow('unauthenticated');
    await waitFor('the log line', async () => lines.slice(before).find(({ error, level }) => error === 'UNAUTHORIZED' && level === 'info'));
  });

  it('is not opened for a token that has expired already', async () => {
    const server = await started({ authenticate: namedCallers(0) });
    const stream = watch(server.url, 'waiting');
    await expect(
      (async () => {
        for (;;) await stream.next();
      })(),
    ).rejects.toThrow('unauthenticated');
  });

  it.each(['1.1', '2'] as const)('is cut when its reader does not read, over HTTP/%s', async (httpVersion) => {
    const server = await started({ authenticate: namedCallers(LIFE_MS), cutAfterMs: 100, streamLimits: { perClient: 1, total: 1 } });
    const before = { ...counts };
    counts.pulled = 0;
    const client = createClient(ChallengeService, createGrpcWebTransport({ baseUrl: server.url, httpVersion }));
    const stream = client.watchChallenge({ challengeId: 'flood' }, { headers: { authorization: 'Bearer office' } })[Symbol.asyncIterator]();
    const first = stream.next().catch(() => undefined);
    // Nothing is read after the first message: the server cannot deliver the end of the stream.
    await waitFor('the release', async () => (counts.released > before.released ? true : undefined));
    const next = watch(server.url, 'waiting');
    await expect(next.next()).resolves.toMatchObject({ done: false });
    await next.return?.();
    await first;
  });
});

describe('open streams', () => {
  const open = async (url: string, name: string) => {
    const controller = new AbortController();
    const stream = watch(url, 'waiting', name, controller.signal);
    await stream.next();
    return controller;
  };
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'opened',
      (thrown) => fromWire(thrown),
    );
  const FULL = { code: 'STREAM_LIMIT_REACHED', metadata: { retryAfterSeconds: '10' } };

  it('are limited per client and in all, and a slot is free again when its stream ends', async () => {
    const server = await started({ authenticate: namedCallers(60_000), streamLimits: { perClient: 2, total: 3 } });
    const first = [await open(server.url, 'office'), await open(server.url, 'office')];
    expect(await codeOf(open(server.url, 'office'))).toMatchObject(FULL);
    const other = await open(server.url, 'other');
    expect(await codeOf(open(server.url, 'third'))).toMatchObject(FULL);
    other.abort();
    const third = await waitFor('a free slot', () => open(server.url, 'third').catch(() => undefined));
    expect(await codeOf(open(server.url, 'office'))).toMatchObject(FULL);
    first[0]?.abort();
    const again = await waitFor('a free slot', () => open(server.url, 'office').catch(() => undefined));
    for (const controller of [...first, third, again]) controller.abort();
  });

  it('hold no slot when they are rejected', async () => {
    const server = await started({ authenticate: namedCallers(60_000), streamLimits: { perClient: 1, total: 1 } });
    for (let count = 0; count < 3; count += 1) {
      expect(await codeOf(watch(server.url, 'missing').next())).toMatchObject({ code: 'CHALLENGE_NOT_FOUND' });
    }
    (await open(server.url, 'office')).abort();
  });

  it('have limits of their method besides', async () => {
    const watchChallenge = serviceStream(
      async function* (_request, { signal }) {
        yield {};
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
      { perClient: 1, total: 2 },
    );
    const rules = { access: 'service', scope: SCOPE } as const;
    const methods = Object.fromEntries(
      ChallengeService.methods.map(({ localName, methodKind }) => [
        localName,
        methodKind === 'unary' ? publicMethod(() => ({})) : watchChallenge,
      ]),
    );
    const server = await startRpcServer({
      host: '127.0.0.1',
      port: 0,
      logger: quietLogger,
      health: {},
      authenticate: namedCallers(60_000),
      services: [
        implement(
          testContract(ChallengeService, { watchChallenge: rules, watchAllChallenges: rules, watchRaisedChallenges: rules }),
          methods as never,
        ),
      ],
    });
    servers.push(server);
    const first = await open(server.url, 'office');
    expect(await codeOf(open(server.url, 'office'))).toMatchObject(FULL);
    const second = await open(server.url, 'other');
    expect(await codeOf(open(server.url, 'third'))).toMatchObject(FULL);
    for (const controller of [first, second]) controller.abort();
  });
});
