import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator, createRevokedSessions, createServiceTokenVerifier, createUserTokenVerifier } from '../auth/index.ts';
import { CodedError } from '../errors/index.ts';
import type { Logger } from '../observe/index.ts';
import { createTestAuthority, waitFor } from '../testing/index.ts';
import { createRpcChannel, implement, type Listener, onBehalfOf, serviceStream, startRpcServer, userMethod, userStream } from './index.ts';

const SCOPE = 'threeds.challenges.read';
const USER = { wallet: '0x52908400098527886E0F7030069857D2E4169EE7', userId: '01890a5d-ac96-774b-bcce-b302099a8057' };

const authority = await createTestAuthority({ office: [SCOPE], other: [] });
const asOffice = async () => ({ authorization: `Bearer ${await authority.serviceToken('office', 'threeds', [SCOPE])}` });

type Line = { level: string; message: string; rpc?: string; messages?: number; aborted?: true; error?: string; requestId?: string };
const lines: Line[] = [];
const recording = (bound: object): Logger =>
  ({
    child: (more: object) => recording({ ...bound, ...more }),
    ...Object.fromEntries(
      ['info', 'warn', 'error'].map((level) => [
        level,
        (fields: object, message: string) => lines.push({ ...bound, ...fields, level, message } as Line),
      ]),
    ),
  }) as unknown as Logger;

let opened = 0;
let released = 0;

const never = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

/** On a clock that stands: never without news. */
const revoked = createRevokedSessions({ now: () => 0 });
revoked.heard();

const start = (): Promise<Listener> => {
  const refuse = <I>() =>
    userMethod((_request: I): object => {
      throw new CodedError('NOT_FOUND');
    });
  return startRpcServer({
    host: '127.0.0.1',
    port: 0,
    logger: recording({}),
    health: {},
    authenticate: createAuthenticator({
      user: createUserTokenVerifier(authority.userKeys, () => new Date()),
      revoked,
      service: createServiceTokenVerifier('threeds', authority.trust),
    }),
    revoked,
    services: [
      implement(ChallengeService, {
        createChallenge: refuse(),
        getChallenge: refuse(),
        listChallenges: refuse(),
        issueDecisionChallenge: refuse(),
        submitDecision: refuse(),
        acknowledgeDecision: refuse(),
        cancelChallenge: refuse(),
        getReceipt: refuse(),
        // The id says how the stream goes.
        watchChallenge: serviceStream(SCOPE, async function* ({ challengeId }, { signal, caller }) {
          opened += 1;
          try {
            if (challengeId === 'none') throw new CodedError('CHALLENGE_NOT_FOUND');
            yield { challenge: { id: '1', cardId: caller.name } };
            yield { challenge: { id: '2' } };
            if (challengeId === 'fault') throw new Error('secret detail of the inside');
            if (challengeId === 'coded') throw new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: '7' } });
            if (challengeId === 'waiting') await never(signal);
            // A source that does not listen to the signal at all.
            if (challengeId === 'deaf') await pause(60_000, undefined, { ref: false });
          } finally {
            released += 1;
          }
        }),
        watchChallenges: userStream(async function* (_request, { caller, signal }) {
          yield { eventId: caller.userId };
          await never(signal);
        }),
      }),
    ],
  });
};

let server: Listener;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.close(0));

const lineOf = (requestId: string) => waitFor('the log line', async () => lines.find((line) => line.requestId === requestId));

const transports = () =>
  [
    ['gRPC', createGrpcTransport({ baseUrl: server.url })],
    ['gRPC-Web over HTTP/1.1', createGrpcWebTransport({ baseUrl: server.url, httpVersion: '1.1' })],
    ['gRPC-Web over HTTP/2', createGrpcWebTransport({ baseUrl: server.url, httpVersion: '2' })],
    ['Connect over HTTP/1.1', createConnectTransport({ baseUrl: server.url, httpVersion: '1.1' })],
    ['Connect over HTTP/2', createConnectTransport({ baseUrl: server.url, httpVersion: '2' })],
  ] as const;

describe.each(['gRPC', 'gRPC-Web over HTTP/1.1', 'gRPC-Web over HTTP/2', 'Connect over HTTP/1.1', 'Connect over HTTP/2'])('%s', (name) => {
  const client = () => createClient(ChallengeService, new Map(transports()).get(name as 'gRPC') ?? expect.fail());
  const read = async (challengeId: string, headers: Record<string, string>) => {
    const ids: string[] = [];
    const error: unknown = await (async () => {
      for await (const { challenge } of client().watchChallenge({ challengeId }, { headers })) ids.push(challenge?.id ?? '');
    })().catch((thrown: unknown) => thrown);
    return { ids, error: error === undefined ? undefined : String(error) };
  };

  it('tells every message and ends', async () => {
    const requestId = `ends-${name.replaceAll(/[^\w]/g, '-')}`;
    expect(await read('short', { ...(await asOffice()), 'x-request-id': requestId })).toEqual({ ids: ['1', '2'], error: undefined });
    expect(await lineOf(requestId)).toMatchObject({ level: 'info', message: 'rpc', messages: 2 });
    expect(lines.filter((line) => line.requestId === requestId)).toHaveLength(1);
  });

  it('refuses before the first message, by the policy', async () => {
    const before = opened;
    const wrong = { authorization: `Bearer ${await authority.serviceToken('other', 'threeds', [SCOPE])}` };
    expect(await read('short', {})).toMatchObject({ ids: [], error: expect.stringContaining('unauthenticated') });
    expect(await read('short', wrong)).toMatchObject({ ids: [], error: expect.stringContaining('permission_denied') });
    expect(opened).toBe(before);
    expect(await read('none', await asOffice())).toMatchObject({ ids: [], error: expect.stringContaining('not_found') });
  });

  it('maps errors in mid-stream by the same table, and keeps the text of faults inside', async () => {
    expect(await read('coded', await asOffice())).toMatchObject({ ids: ['1', '2'], error: expect.stringContaining('resource_exhausted') });
    const fault = await read('fault', await asOffice());
    expect(fault).toMatchObject({ ids: ['1', '2'], error: expect.stringContaining('internal') });
    expect(fault.error).not.toContain('secret');
  });

  it('is released when the caller goes', async () => {
    const requestId = `gone-${name.replaceAll(/[^\w]/g, '-')}`;
    const before = released;
    const gone = new AbortController();
    const options = { headers: { ...(await asOffice()), 'x-request-id': requestId }, signal: gone.signal };
    const reading = (async () => {
      for await (const { challenge } of client().watchChallenge({ challengeId: 'waiting' }, options))
        if (challenge?.id === '2') gone.abort();
    })();
    await expect(reading).rejects.toThrow('canceled');
    await waitFor('the release', async () => (released > before ? true : undefined));
    expect(await lineOf(requestId)).toMatchObject({ level: 'info', messages: 2, aborted: true });
  });
});

describe('streams', () => {
  it('are decoded to coded errors by the kit’s client, and have no deadline of their own', async () => {
    const channel = createRpcChannel({ baseUrl: server.url, timeoutMs: 100 });
    const client = channel.client(ChallengeService);
    const headers = await asOffice();
    const stream = client.watchChallenge({ challengeId: 'coded' }, { headers })[Symbol.asyncIterator]();
    await stream.next();
    await stream.next();
    await expect(stream.next()).rejects.toMatchObject({ code: 'RATE_LIMITED', metadata: { retryAfterSeconds: '7' } });

    const gone = new AbortController();
    const waiting = client.watchChallenge({ challengeId: 'waiting' }, { headers, signal: gone.signal })[Symbol.asyncIterator]();
    await waiting.next();
    await waiting.next();
    const third = waiting.next().then(
      () => 'ended',
      () => 'failed',
    );
    expect(await Promise.race([third, pause(400, 'still open')])).toBe('still open');
    gone.abort();
    expect(await third).toBe('failed');
    await channel.close();
  });

  it('do not keep connections from calls', async () => {
    const channel = createRpcChannel({ baseUrl: server.url });
    const client = channel.client(ChallengeService);
    const headers = await asOffice();
    const gone = new AbortController();
    const streams = Array.from({ length: 100 }, () =>
      client.watchChallenge({ challengeId: 'waiting' }, { headers, signal: gone.signal })[Symbol.asyncIterator](),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    const token = await authority.userToken(USER);
    await expect(client.getChallenge({}, onBehalfOf({ token, requestId: 'r' }))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    gone.abort();
    await channel.close();
  });

  it('of a person end when the token expires', async () => {
    const channel = createRpcChannel({ baseUrl: server.url });
    const token = await authority.userToken(USER, new Date(Date.now() + 1500));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { eventId } of channel.client(ChallengeService).watchChallenges({}, onBehalfOf({ token, requestId: 'r' })))
        seen.push(eventId);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(seen).toEqual([USER.userId]);
    await channel.close();
  });

  it('of a person end when the session is revoked, and no others do', async () => {
    const channel = createRpcChannel({ baseUrl: server.url });
    const open = async (sessionId: string) => {
      const token = await authority.userToken({ ...USER, sessionId });
      const stream = channel
        .client(ChallengeService)
        .watchChallenges({}, onBehalfOf({ token, requestId: 'r' }))
        [Symbol.asyncIterator]();
      await stream.next();
      return stream;
    };
    const [ended, stays] = [randomUUID(), randomUUID()];
    const [mine, others] = [await open(ended), await open(stays)];
    const other = others.next().then(
      () => 'ended',
      () => 'failed',
    );
    revoked.add([ended]);
    await expect(mine.next()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await Promise.race([other, pause(100, 'still open')])).toBe('still open');
    revoked.add([stays]);
    expect(await other).toBe('failed');
    await channel.close();
  });

  it.each(['waiting', 'deaf'])('end with SERVICE_UNAVAILABLE when the server closes: %s', async (challengeId) => {
    const closing = await start();
    const channel = createRpcChannel({ baseUrl: closing.url });
    const stream = channel
      .client(ChallengeService)
      .watchChallenge({ challengeId }, { headers: await asOffice() })
      [Symbol.asyncIterator]();
    await stream.next();
    await stream.next();
    const third = expect(stream.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await closing.close();
    await third;
    await channel.close();
  });
});

describe('implement', () => {
  it('does not accept a method of the other kind', () => {
    const unary = userMethod(() => ({}));
    const all = Object.fromEntries(ChallengeService.methods.map(({ localName }) => [localName, unary]));
    expect(() => implement(ChallengeService, all as never)).toThrow('watchChallenge is server_streaming');
  });
});
