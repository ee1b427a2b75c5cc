import { createServer, type RequestListener, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { bind, type ConnectionLife, closeServer, createConnectionEnds } from '@florin/rpc/process';
import { requestIdFrom } from '@florin/rpc/request-id';
import { errorAnswer } from './error-answer.ts';

/** How long a shutdown waits for running requests: longer than a call to a service may take, shorter than the process's own deadline. */
const GRACE_MS = 6000;

const UNREADABLE: Readonly<Record<string, ErrorCode>> = { HPE_HEADER_OVERFLOW: 'PAYLOAD_TOO_LARGE' };

/** A response in the usual shape to a request that does not reach express. It closes the connection. */
const refusal = (code: ErrorCode) => {
  const { status, body, headers: ofError } = errorAnswer(new CodedError(code));
  const text = JSON.stringify(body);
  const headers = {
    ...ofError,
    Connection: 'close',
    'X-Request-Id': requestIdFrom(undefined),
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
  };
  return { status, headers, text };
};

/** Rejects input that Node cannot parse as a request, which never reaches express. */
const refuseUnreadable = (error: Error & { code?: string }, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, headers, text } = refusal(UNREADABLE[error.code ?? ''] ?? 'MALFORMED_BODY');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')}\r\n\r\n${text}`);
};

/** Requires a Host header (RFC 9112, section 3.2). Node's own check would respond in another shape. */
const requireHost =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    if (request.httpVersion !== '1.1' || request.headers.host !== undefined) {
      listener(request, response);
      return;
    }
    const { status, headers, text } = refusal('MALFORMED_BODY');
    response.writeHead(status, headers).end(text);
  };

export type HttpServer = {
  url: string;
  /** Stops accepting connections, waits a limited time for running requests, then closes the remaining connections. */
  close: () => Promise<void>;
};

/** @throws Error when the address cannot be bound */
export const startHttpServer = async (
  listener: RequestListener,
  options: ConnectionLife & { host: string; port: number },
): Promise<HttpServer> => {
  const limits = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
  const ends = createConnectionEnds(options);
  const serve = requireHost((request, response) => {
    if (ends.isDue(request.socket)) response.setHeader('Connection', 'close');
    listener(request, response);
  });
  const server = createServer({ ...limits, noDelay: true, requireHostHeader: false }, serve);
  server.on('connection', ends.opened);
  server.on('clientError', refuseUnreadable);
  // Expectations other than 100-continue are ignored, which RFC 9110, section 10.1.1 allows; Node would reject them in plain text.
  server.on('checkExpectation', serve);
  const { url } = await bind(server, options);
  return {
    url,
    close: async () => {
      const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closeServer(server);
      clearTimeout(cut);
    },
  };
};
