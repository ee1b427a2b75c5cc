import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@connectrpc/connect';
import { compressionGzip, createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator, createRevokedSessions, createServiceTokenVerifier, createUserTokenVerifier } from '../auth/index.ts';
import { createRpcChannel, onBehalfOf } from '../client/index.ts';
import { CodedError } from '../errors/index.ts';
import type { Logger } from '../observe/index.ts';
import { createTestAuthority, waitFor } from '../testing/index.ts';
import { implement, type Listener, serviceStream, startRpcServer, userMethod, userStream } from './index.ts';

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

/** Messages of 100 kB that the flood would give to a reader who takes them. */
const FLOOD = 1000;
let pulled = 0;

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
            for (; challengeId === 'flood' && pulled < FLOOD; pulled += 1) yield { challenge: { id: 'x'.repeat(100_000) } };
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

describe('framing', () => {
  type Ask = { contentType?: string; headers?: Record<string, string>; messages?: object[]; method?: string };
  const envelope = (message: object): Buffer => {
    const data = Buffer.from(JSON.stringify(message));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(data.byteLength, 1);
    return Buffer.concat([head, data]);
  };
  /** One call in Connect's JSON form, as bytes; the last message of the answer is its end. */
  const ask = async ({ contentType = 'application/connect+json', headers = {}, messages = [{}], method = 'POST' }: Ask) => {
    const response = await fetch(`${server.url}/florin.threeds.v1.ChallengeService/WatchChallenge`, {
      method,
      headers: { 'content-type': contentType, ...(await asOffice()), ...headers },
      ...(method === 'POST' ? { body: Buffer.concat(messages.map(envelope)) } : {}),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const read: { flags: number | undefined; message: { error?: { code: string } } }[] = [];
    for (let at = 0; at < bytes.byteLength; at += 5 + bytes.readUInt32BE(at + 1)) {
      const message = bytes.subarray(at + 5, at + 5 + bytes.readUInt32BE(at + 1)).toString();
      read.push({ flags: bytes[at], message: JSON.parse(message) });
    }
    return { status: response.status, type: response.headers.get('content-type'), requestId: response.headers.get('x-request-id'), read };
  };

  it('is that of the Connect protocol', async () => {
    const { status, type, requestId, read } = await ask({ messages: [{ challengeId: 'short' }], headers: { 'x-request-id': 'r-7' } });
    expect({ status, type, requestId }).toEqual({ status: 200, type: 'application/connect+json', requestId: 'r-7' });
    expect(read).toEqual([
      { flags: 0, message: { challenge: { id: '1', cardId: 'office' } } },
      { flags: 0, message: { challenge: { id: '2' } } },
      { flags: 2, message: {} },
    ]);
  });

  it.each([
    ['no message', { messages: [] }, 'invalid_argument'],
    ['two messages', { messages: [{}, {}] }, 'invalid_argument'],
    ['a message of another shape', { messages: [{ challengeId: 7 }] }, 'invalid_argument'],
    ['a message that is too large', { messages: [{ challengeId: 'x'.repeat(1024 * 1024) }] }, 'resource_exhausted'],
    ['an unknown compression', { headers: { 'connect-content-encoding': 'br' } }, 'unimplemented'],
    ['a deadline that is none', { headers: { 'connect-timeout-ms': 'soon' } }, 'invalid_argument'],
    ['a deadline beyond the longest', { headers: { 'connect-timeout-ms': '60001' } }, 'invalid_argument'],
    ['a deadline that passes', { headers: { 'connect-timeout-ms': '20' }, messages: [{ challengeId: 'deaf' }] }, 'deadline_exceeded'],
  ] as const)('refuses %s', async (_what, request, code) => {
    const { status, read } = await ask(request as Ask);
    expect(status).toBe(200);
    expect(read.at(-1)).toMatchObject({ flags: 2, message: { error: { code } } });
  });

  it('refuses other methods and content types', async () => {
    expect(await ask({ method: 'GET' })).toMatchObject({ status: 405 });
    for (const contentType of ['application/json', 'application/grpc-web-text', 'text/plain', 'application/proto']) {
      expect(await ask({ contentType })).toMatchObject({ status: 415 });
    }
  });

  it.each([
    ['gRPC', createGrpcTransport],
    ['gRPC-Web', createGrpcWebTransport],
    ['Connect', createConnectTransport],
  ] as const)('takes compressed requests: %s', async (_name, createTransport) => {
    const settings = { baseUrl: server.url, httpVersion: '2', sendCompression: compressionGzip, compressMinBytes: 0 } as const;
    const client = createClient(ChallengeService, createTransport(settings));
    const ids: string[] = [];
    for await (const { challenge } of client.watchChallenge({ challengeId: 'short' }, { headers: await asOffice() }))
      ids.push(challenge?.id ?? '');
    expect(ids).toEqual(['1', '2']);
  });
});

describe('a reader that does not read', () => {
  it.each([
    ['over HTTP/1.1', '1.1'],
    ['over HTTP/2', '2'],
  ] as const)('stops the source, and is let go: %s', async (_name, httpVersion) => {
    const client = createClient(ChallengeService, createGrpcWebTransport({ baseUrl: server.url, httpVersion }));
    const gone = new AbortController();
    const before = { pulled, released };
    const options = { headers: await asOffice(), signal: gone.signal };
    const stream = client.watchChallenge({ challengeId: 'flood' }, options)[Symbol.asyncIterator]();
    await stream.next();
    await waitFor('a standstill', async () => {
      const seen = pulled;
      await pause(250);
      return seen === pulled ? true : undefined;
    });
    // What the sockets of both sides hold, some megabytes, and not what the source could give.
    expect(pulled - before.pulled).toBeLessThan(FLOOD / 2);
    gone.abort();
    await expect(
      stream.next().then(async () => {
        for (;;) if ((await stream.next()).done === true) throw new Error('ended');
      }),
    ).rejects.toThrow();
    await waitFor('the release', async () => (released > before.released ? true : undefined));
  });
});

describe('implement', () => {
  it('does not accept a method of the other kind', () => {
    const unary = userMethod(() => ({}));
    const all = Object.fromEntries(ChallengeService.methods.map(({ localName }) => [localName, unary]));
    expect(() => implement(ChallengeService, all as never)).toThrow('watchChallenge is server_streaming');
  });
});
