import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { CardService } from '@florin/proto/card/v1/card_service';
import { Health } from '@florin/proto/health/v1/health';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CodedError, fromWire } from '../errors/index.ts';
import { implementPart, quietLogger, waitFor } from '../testing/index.ts';
import { testContract } from '../testing/test-contract.ts';
import { createAnonymousCalls } from './call-slots.ts';
import { type Listener, listen, publicMethod, startRpcServer, userMethod } from './index.ts';

let server: Listener;
beforeAll(async () => {
  server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    logger: quietLogger,
    health: {},
    authenticate: () => Promise.reject(new CodedError('UNAUTHORIZED')),
    services: [
      implementPart(testContract(CardService, { listCards: { access: 'user' } }), {
        listCards: userMethod(() => ({})),
        getCard: publicMethod(({ cardId }) => ({ card: { id: String(cardId.length) } })),
      }),
    ],
  });
});
afterAll(() => server.close(0));

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const open = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
};

const LARGE = 1024 * 1024;

/** The sent part of a body. All senders share it, so that they do not hold copies in this process. */
const SENT = Buffer.alloc(LARGE / 4);

/** Few enough to be served within the listener's time limits on a busy machine. */
const POSTS = 200;

/** Begins a call with a body of a megabyte and sends a part of it. @returns the first piece of the response, which may come before the last of that */
const beginPost = async (method: string, type: string): Promise<string> => {
  const socket = await open(server.port);
  const response = once(socket, 'data');
  socket.write(
    `POST /florin.card.v1.CardService/${method} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${LARGE}\r\n\r\n`,
  );
  socket.write(SENT);
  return String((await response)[0]);
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Memory in use after a collection of garbage. */
const usedBytes = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const errorOf = (call: Promise<unknown>): Promise<CodedError> => call.then(() => expect.fail('the call succeeded'), fromWire);

describe('calls of strangers', () => {
  it.each(['application/proto', 'application/json'])(
    `hold no memory: ${POSTS} half-sent posts, %s`,
    async (type) => {
      const before = usedBytes();
      const responses = await Promise.all(Array.from({ length: POSTS }, () => beginPost('ListCards', type)));
      for (const response of responses) expect(response).toContain('401 Unauthorized');
      // The sockets of both sides are in this process, and what has arrived is discarded piece by piece.
      const bound = before + (POSTS * SENT.byteLength) / 2;
      await waitFor('the memory', async () => (usedBytes() < bound ? true : undefined), 50_000);
    },
    60_000,
  );

  it.each(['application/proto', 'application/json'])('may send small messages only to public methods: %s', async (type) => {
    const send = (length: number) =>
      fetch(`${server.url}/florin.card.v1.CardService/GetCard`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: type.endsWith('json')
          ? JSON.stringify({ cardId: 'x'.repeat(length) })
          : Buffer.concat([Buffer.from([0x0a, (length & 0x7f) | 0x80, length >> 7]), Buffer.alloc(length, 'x')]),
      });
    expect((await send(1000)).status).toBe(200);
    expect((await send(16_383)).status).toBe(429);
  });

  it('are bounded per connection and released when they end', async () => {
    const sessionManager = new Http2SessionManager(server.url);
    const client = createClient(Health, createGrpcTransport({ baseUrl: server.url, sessionManager }));
    const controllers = Array.from({ length: 16 }, () => new AbortController());
    const watches = controllers.map(({ signal }) => client.watch({}, { signal })[Symbol.asyncIterator]());
    await Promise.all(watches.map((watch) => watch.next()));
    expect(await errorOf(client.watch({})[Symbol.asyncIterator]().next())).toMatchObject({
      code: 'STREAM_LIMIT_REACHED',
      metadata: { retryAfterSeconds: '10' },
    });
    expect(await errorOf(client.check({}))).toMatchObject({ code: 'STREAM_LIMIT_REACHED' });
    const other = createClient(Health, createConnectTransport({ baseUrl: server.url, httpVersion: '1.1' }));
    expect((await other.check({})).status).toBe(1);
    for (const controller of controllers) controller.abort();
    await waitFor('the release', async () =>
      client.check({}).then(
        () => true,
        () => undefined,
      ),
    );
    await Promise.allSettled(watches.map((watch) => watch.next()));
    sessionManager.abort();
  });

  it('are bounded in total', () => {
    const calls = createAnonymousCalls({ perConnection: 2, total: 3 });
    const [one, two] = [{}, {}];
    const release = calls.take(one);
    calls.take(one);
    expect(() => calls.take(one)).toThrow(expect.objectContaining({ code: 'STREAM_LIMIT_REACHED' }));
    calls.take(two);
    expect(() => calls.take({})).toThrow(expect.objectContaining({ code: 'STREAM_LIMIT_REACHED' }));
    release();
    release();
    calls.take({});
    expect(() => calls.take({})).toThrow();
  });
});

describe('connections', () => {
  it('are bounded per listener', async () => {
    const small = await listen((_request, response) => void response.end('ok'), { host: '127.0.0.1', port: 0, maxConnections: 2 });
    const [first] = [await open(small.port), await open(small.port)];
    const third = await open(small.port);
    if (!third.closed) await once(third, 'close');
    first.destroy();
    await waitFor('a free place', async () =>
      fetch(small.url).then(
        () => true,
        () => undefined,
      ),
    );
    await small.close(0);
  });

  it('that send their headers too slowly are closed', async () => {
    const hasty = await listen(() => undefined, { host: '127.0.0.1', port: 0, requestTimeoutMs: 100 });
    const socket = await open(hasty.port);
    socket.write('POST / HTTP/1.1\r\nHost:');
    socket.resume();
    await once(socket, 'close');
    await hasty.close(0);
  });

  it('have at most 100 streams over HTTP/2', async () => {
    const session = connectHttp2(server.url);
    await once(session, 'remoteSettings');
    expect(session.remoteSettings.maxConcurrentStreams).toBe(100);
    session.destroy();
  });

  it('are closed after some hundred streams that are opened and reset', async () => {
    const session = connectHttp2(server.url);
    session.on('error', () => undefined);
    const closed = new Promise((resolve) => session.once('close', resolve));
    let opened = 0;
    while (!session.destroyed && opened < 600) {
      const stream = session.request({ ':method': 'POST', ':path': '/florin.card.v1.CardService/ListCards' });
      stream.on('error', () => undefined);
      stream.close(constants.NGHTTP2_CANCEL);
      opened += 1;
      if (opened % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(opened).toBeLessThan(600);
    await closed;
  });
});
