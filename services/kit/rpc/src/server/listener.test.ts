import { once } from 'node:events';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { waitFor } from '../testing/index.ts';
import { type Listener, listen } from './listener.ts';

let listener: Listener | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener?.close(0);
});

type Handler = Parameters<typeof listen>[0];

const start = async (
  handler: Handler = (request, response) => void response.end(`http/${request.httpVersion}`),
  limits: Omit<Parameters<typeof listen>[1], 'host' | 'port'> = {},
) => {
  listener = await listen(handler, { host: '127.0.0.1', port: 0, ...limits });
  return listener;
};

const open = async ({ port }: Listener): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
};

/** Sends pieces that arrive one by one. */
const dribble = async (socket: Socket, pieces: readonly string[]) => {
  socket.setNoDelay(true);
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await sleep(20);
  }
};

const responseOf = async (socket: Socket, until: string): Promise<string> => {
  let text = '';
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1');
    if (text.includes(until)) break;
  }
  return text;
};

const responseOfStream = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** Longer than a test may take, so that waiting for it fails the test. */
const NEVER_MS = 600_000;

describe('listener', () => {
  it.each([
    ['one piece', ['GET / HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['single bytes', ['G', 'E', 'T', ' / HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['pieces that start like HTTP/2', ['P', 'R', 'OPFIND / HTTP/1.1\r\nHost: x\r\n\r\n']],
  ])('serves HTTP/1.1 that arrives in %s', async (_how, pieces) => {
    const socket = await open(await start());
    await dribble(socket, pieces);
    expect(await responseOf(socket, 'http/')).toContain('http/1.1');
  });

  it('serves HTTP/2 whose preface arrives in pieces', async () => {
    const socket = await open(await start());
    const settings = '\0\0\0\x04\0\0\0\0\0';
    await dribble(socket, ['P', 'RI', ' * HTTP/2.0\r\n\r\nSM\r\n\r\n', settings]);
    // The server's own SETTINGS frame comes first (RFC 9113, section 3.4): type 4 in its fourth byte.
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first[3]).toBe(4);
  });

  it('serves requests beside silent, truncated and broken connections', async () => {
    const { url } = await start();
    const server = listener as Listener;
    await open(server);
    (await open(server)).end();
    (await open(server)).end('P');
    (await open(server)).end('GET / HT');
    (await open(server)).resetAndDestroy();
    const broken = await open(server);
    broken.write('PRI * HTTP/2.0\r\n\r\nnot an HTTP/2 frame');
    expect(await (await fetch(url)).text()).toBe('http/1.1');
  });

  it('closes a connection whose peer closes it without sending anything', async () => {
    const socket = await open(await start());
    socket.end();
    socket.resume();
    await once(socket, 'close');
  });

  it('rejects a port that is in use', async () => {
    const { port } = await start();
    await expect(listen(() => undefined, { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
  });

  it('closes idle connections and accepts no new ones when it closes', async () => {
    const server = await start();
    const pool = new Pool(server.url, { keepAliveTimeout: NEVER_MS });
    await (await pool.request({ path: '/', method: 'GET' })).body.text();
    const session = connectHttp2(server.url);
    await once(session, 'remoteSettings');
    const late = connectHttp2(server.url);
    await once(late, 'connect');
    await server.close(NEVER_MS);
    await expect(fetch(server.url)).rejects.toThrow();
    await pool.destroy();
    for (const one of [session, late]) one.destroy();
  });

  it('waits for running calls when it closes', async () => {
    const arrived = Promise.withResolvers<() => void>();
    const server = await start((_request, response) => arrived.resolve(() => void response.end('done')));
    const calls = [fetch(server.url).then((response) => response.text())];
    const finish = await arrived.promise;
    const closing = server.close(NEVER_MS);
    await sleep(50);
    finish();
    expect(await Promise.all(calls)).toEqual(['done']);
    await closing;
  });

  it('cancels HTTP/2 requests that are not complete in time, but not slow responses', async () => {
    const server = await start(
      (request, response) => {
        request.resume();
        response.writeHead(200);
        request.once('end', () => setTimeout(() => response.end('late'), 300));
      },
      { requestTimeoutMs: 100 },
    );
    const session = connectHttp2(server.url);
    session.on('error', () => undefined);
    const stuck = session.request({ ':path': '/', ':method': 'POST' });
    stuck.write('x');
    const slow = session.request({ ':path': '/' });
    await once(stuck, 'close');
    expect(stuck.rstCode).toBe(constants.NGHTTP2_CANCEL);
    expect(await responseOfStream(slow)).toBe('late');
    session.destroy();
  });

  it('rejects HTTP/1.1 requests that are not complete in time', async () => {
    const socket = await open(await start(undefined, { requestTimeoutMs: 100 }));
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nx');
    socket.on('error', () => undefined);
    await once(socket, 'data');
    await once(socket, 'close');
  });

  it('closes idle HTTP/2 connections', async () => {
    const server = await start(undefined, { idleTimeoutMs: 100 });
    const session = connectHttp2(server.url);
    await once(session, 'close');
    const silent = await open(server);
    silent.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    silent.resume();
    await once(silent, 'close');
  });

  it.each([
    ['reaches its age', { maxConnectionAgeMs: 0 }, 'close'],
    ['is younger', { maxConnectionAgeMs: NEVER_MS }, 'keep-alive'],
    ['is used while the process drains', { draining: AbortSignal.abort() }, 'close'],
  ])('announces with the response whether an HTTP/1.1 connection that %s stays open', async (_when, limits, expected) => {
    const { url } = await start(undefined, limits);
    const pool = new Pool(url, { connections: 1 });
    const { headers, body } = await pool.request({ path: '/', method: 'GET' });
    expect(await body.text()).toBe('http/1.1');
    expect(headers['connection']).toBe(expected);
    await pool.close();
  });

  it('loses no request of clients that never pause, when it drains before it closes', async () => {
    const draining = new AbortController();
    const server = await start(undefined, { draining: draining.signal });
    let served = 0;
    const untilAnnounced = async (): Promise<void> => {
      const pool = new Pool(server.url, { connections: 1 });
      for (let open = true; open; ) {
        const { headers, body } = await pool.request({ path: '/', method: 'GET' });
        await body.text();
        served += 1;
        open = headers['connection'] !== 'close';
        if (served === 100) draining.abort();
      }
      await pool.close();
    };
    await Promise.all(Array.from({ length: 8 }, untilAnnounced));
    expect(served).toBeGreaterThan(100);
    await server.close(0);
  });

  it.each([
    ['reaches its age', () => ({ maxConnectionAgeMs: 50 })],
    ['is open when the process drains', (draining: AbortSignal) => ({ draining })],
  ])('lets the open call of an HTTP/2 connection that %s end, and takes no new one', async (_when, limits) => {
    const draining = new AbortController();
    const finish = new Map<string, () => void>();
    const { url } = await start((request, response) => {
      finish.set(request.url ?? '', () => void response.end('done'));
      response.flushHeaders();
    }, limits(draining.signal));
    const session = connectHttp2(url);
    const stream = session.request({ ':path': '/first' });
    await once(stream, 'response');
    const refused = once(session, 'goaway');
    draining.abort();
    await refused;
    finish.get('/first')?.();
    expect(await responseOfStream(stream)).toBe('done');
    await once(session, 'close');
  });

  it('destroys connections that outlast the grace period', async () => {
    let running = 0;
    const server = await start(() => {
      running += 1;
    });
    const call = fetch(server.url).catch((error: unknown) => error);
    const silent = await open(server);
    silent.resume();
    const session = connectHttp2(server.url);
    const stream = session.request({ ':path': '/' });
    stream.on('error', () => undefined);
    session.on('error', () => undefined);
    await waitFor('both calls', async () => (running === 2 ? true : undefined));
    await server.close(50);
    expect(await call).toBeInstanceOf(TypeError);
    if (!silent.closed) await once(silent, 'close');
    session.destroy();
  });
});
