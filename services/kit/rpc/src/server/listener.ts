import { createServer as createHttp1Server, type RequestListener } from 'node:http';
import {
  constants,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer, type Socket } from 'node:net';
import { bind } from './bind.ts';

export type Listener = {
  /** http://host:port, with the port that was really bound. */
  url: string;
  port: number;
  /** Stops accepting, lets running calls end for at most `graceMs`, then cuts what is left. */
  close: (graceMs?: number) => Promise<void>;
};

/** First bytes of every HTTP/2 connection (RFC 9113, section 3.4); no HTTP/1.1 request starts so. */
const HTTP2_PREFACE = 'PRI ';

const FIRST_BYTES_TIMEOUT_MS = 10_000;

/** A request that is not complete by then is given up: until it is, it holds memory for a caller whom nobody knows yet. */
const REQUEST_TIMEOUT_MS = 30_000;

/** HTTP/2 connections without a call and without a frame for so long are ended. */
const IDLE_TIMEOUT_MS = 300_000;

/** What Node does for HTTP/1.1 only. Answers may take as long as they like. */
const limitRequest = (stream: ServerHttp2Stream, timeoutMs: number): void => {
  const timer = setTimeout(() => {
    if (stream.state.remoteClose !== 1) stream.close(constants.NGHTTP2_CANCEL);
  }, timeoutMs);
  stream.once('close', () => clearTimeout(timer));
};

/** Ends the connection once it is idle; one with an open call, which may be a watch that has nothing to tell, is not. */
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

/**
 * Serves HTTP/1.1 and cleartext HTTP/2 (prior knowledge) on one port: gRPC needs the latter, browsers, health probes and the
 * cheaper Connect transport use the former. Node has no such server for cleartext, so the first bytes decide.
 */
export const listen = async (
  handler: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
  options: { host: string; port: number; requestTimeoutMs?: number; idleTimeoutMs?: number },
): Promise<Listener> => {
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const http1 = createHttp1Server({ keepAliveTimeout: 65_000, requestTimeout: requestTimeoutMs }, handler as unknown as RequestListener);
  // It never listens itself, yet its time limits and its list of idle connections begin with this event.
  http1.emit('listening');
  const http2 = createHttp2Server({ settings: { maxConcurrentStreams: 1000 } }, handler);
  const sockets = new Set<Socket>();
  const sessions = new Set<{ close: () => void }>();
  let closing = false;
  http2.on('stream', (stream) => limitRequest(stream, requestTimeoutMs));
  http2.on('session', (session) => {
    sessions.add(session);
    limitIdleness(session, idleTimeoutMs);
    // Its connection was accepted before the close, its first bytes came after.
    if (closing) session.close();
    session.once('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(FIRST_BYTES_TIMEOUT_MS, () => socket.destroy());
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
      (start === HTTP2_PREFACE ? http2 : http1).emit('connection', socket);
    };
    socket.once('readable', dispatch);
  });

  const { url, port } = await bind(server, options);

  return {
    url,
    port,
    close: async (graceMs = 2000) => {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      http1.close();
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      // Connections that become idle while running calls end.
      const sweep = setInterval(() => http1.closeIdleConnections(), 50);
      await closed;
      clearTimeout(cut);
      clearInterval(sweep);
    },
  };
};
