import { createServer as createHttp1Server, type RequestListener, type ServerOptions } from 'node:http';
import { constants, createServer as createHttp2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { bind, type ConnectionLife, closeServer, createConnectionEnds } from '../process/index.ts';
import type { Tls } from '../tls/index.ts';
import type { NodeHandler } from './exchange.ts';
import { MAX_CONNECTIONS } from './limits.ts';

export type Listener = {
  /** http://host:port with the port that was bound. */
  url: string;
  port: number;
  /** Stops accepting connections, waits at most `graceMs` milliseconds for running calls, then destroys the remaining connections. */
  close: (graceMs?: number) => Promise<void>;
};

type ListenOptions = ConnectionLife & {
  host: string;
  /** 0 selects a free port. */
  port: number;
  tls?: Tls;
  requestTimeoutMs?: number;
  idleTimeoutMs?: number;
  maxConnections?: number;
};

type Http2Handler = NonNullable<Parameters<typeof createHttp2Server>[1]>;

/** First bytes of every HTTP/2 connection (RFC 9113, section 3.4). No HTTP/1.1 request starts with them. */
const HTTP2_PREFACE = 'PRI ';

const FIRST_BYTES_TIMEOUT_MS = 10_000;

/** Time limit for receiving a request: an incomplete one holds memory for a caller that is not authenticated yet. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Time limit for receiving the headers of an HTTP/1.1 request. */
const HEADERS_TIMEOUT_MS = 10_000;

/** Interval at which Node looks for HTTP/1.1 requests past their time limit. */
const REQUEST_CHECK_MS = 5000;

/** HTTP/2 connections are closed after this time without a call and without a frame. */
const IDLE_TIMEOUT_MS = 300_000;

/**
 * Limits of an HTTP/2 connection. Streams that are opened and reset cost processor time before anybody is authenticated (CVE-2023-44487): beyond
 * the burst and the rate per second the connection is closed. The platform's own streams use HTTP/1.1.
 */
const HTTP2_LIMITS = { settings: { maxConcurrentStreams: 100 }, streamResetBurst: 100, streamResetRate: 20 };

/** Limits the time for receiving a request, which Node does for HTTP/1.1 only. The time for responding is not limited. */
const limitRequest = (stream: ServerHttp2Stream, timeoutMs: number): void => {
  const timer = setTimeout(() => {
    if (stream.state.remoteClose !== 1) stream.close(constants.NGHTTP2_CANCEL);
  }, timeoutMs);
  stream.once('close', () => clearTimeout(timer));
};

/** Closes the connection once it is idle. A connection with an open call is not idle: the call may be a silent watch. */
const limitIdleness = (session: ServerHttp2Session, timeoutMs: number): void => {
  let calls = 0;
  session.on('stream', (stream) => {
    calls += 1;
    stream.once('close', () => {
      calls -= 1;
    });
  });
  session.setTimeout(timeoutMs, () => {
    if (calls === 0) session.close();
  });
};

/** Refuses new calls on a connection of that age (GOAWAY), which ends it with its last open call. */
const limitAge = (session: ServerHttp2Session, ageMs: number | undefined): void => {
  if (ageMs === undefined) return;
  const timer = setTimeout(() => session.close(), ageMs);
  timer.unref();
  session.once('close', () => clearTimeout(timer));
};

/** Minimum TLS version, which every process of the platform supports. */
const MIN_TLS_VERSION = 'TLSv1.3';

/** Creates the server that owns the port. `connected` is its event for a connection on which the first bytes of HTTP can be read. */
const createHttp1 = (settings: ServerOptions, handler: RequestListener, tls: Tls | undefined) => {
  if (tls === undefined) return { http1: createHttp1Server(settings, handler), connected: 'connection' };
  const security = { requestCert: true, rejectUnauthorized: true, minVersion: MIN_TLS_VERSION, ALPNProtocols: ['h2', 'http/1.1'] } as const;
  const http1 = createHttpsServer({ ...settings, ...security, ...tls.current() }, handler);
  tls.onChange((material) => http1.setSecureContext({ minVersion: MIN_TLS_VERSION, ...material }));
  return { http1, connected: 'secureConnection' };
};

/**
 * Serves HTTP/1.1 and HTTP/2 (prior knowledge, or TLS with ALPN) on one port: gRPC needs HTTP/2; browsers, health probes and the cheaper
 * Connect transport use HTTP/1.1. Node has no such server for cleartext, so the first bytes of a connection select the protocol.
 *
 * The HTTP/1.1 server owns the port, which starts its request time limits and its tracking of idle connections. Its own connection
 * listeners run after the protocol is known.
 * @throws Error when the address cannot be bound
 */
export const listen = async (handler: NodeHandler, options: ListenOptions): Promise<Listener> => {
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const settings = {
    keepAliveTimeout: 65_000,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(REQUEST_CHECK_MS, requestTimeoutMs),
    noDelay: true,
  };
  const ends = createConnectionEnds(options);
  const announceEnd: NodeHandler = (request, response) => {
    if (ends.isDue(request.socket)) response.setHeader('connection', 'close');
    handler(request, response);
  };
  const { http1, connected } = createHttp1(settings, announceEnd, options.tls);
  http1.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  const http1Listeners = http1.listeners(connected);
  const http2 = createHttp2Server(HTTP2_LIMITS, handler as unknown as Http2Handler);
  const sockets = new Set<Socket>();
  const sessions = new Set<{ close: () => void }>();
  let closing = false;
  http2.on('stream', (stream) => limitRequest(stream, requestTimeoutMs));
  http2.on('session', (session) => {
    sessions.add(session);
    limitIdleness(session, idleTimeoutMs);
    limitAge(session, ends.ageMs());
    // The connection was accepted before the close; its first bytes arrived after it.
    if (closing) session.close();
    session.once('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });

  const accept = (socket: Socket): void => {
    sockets.add(socket);
    ends.opened(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(FIRST_BYTES_TIMEOUT_MS, () => socket.destroy());
    // HTTP servers accept half-open connections. A peer that has closed its half sends no further requests.
    socket.allowHalfOpen = false;
    let received = Buffer.alloc(0);
    const dispatch = (): void => {
      received = Buffer.concat([received, (socket.read() as Buffer | null) ?? Buffer.alloc(0)]);
      const start = received.toString('latin1', 0, HTTP2_PREFACE.length);
      if (start.length < HTTP2_PREFACE.length && HTTP2_PREFACE.startsWith(start)) {
        socket.once('readable', dispatch);
        return;
      }
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      socket.unshift(received);
      if (start === HTTP2_PREFACE) http2.emit('connection', socket);
      else for (const serve of http1Listeners) serve.call(http1, socket);
    };
    socket.once('readable', dispatch);
  };
  const endSessions = (): void => {
    for (const session of sessions) session.close();
  };
  options.draining?.addEventListener('abort', endSessions);
  // An open connection goes by the certificate with which it was opened: one of an authority that is no longer trusted has to end.
  options.tls?.onChange(() => {
    ends.endOpen();
    endSessions();
  });
  http1.removeAllListeners(connected).on(connected, accept);

  const { url, port } = await bind(http1, options, options.tls === undefined ? 'http' : 'https');

  return {
    url,
    port,
    close: async (graceMs = 2000) => {
      closing = true;
      const closed = closeServer(http1);
      endSessions();
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
};
