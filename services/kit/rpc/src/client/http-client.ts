import type { UniversalClientFn } from '@connectrpc/connect/protocol';
import { Pool } from 'undici';
import { createConnector, type Tls } from '../tls/index.ts';

export type HttpClient = {
  send: UniversalClientFn;
  /** Lets running calls end for a moment, then cuts them. */
  close: () => Promise<void>;
};

const CLOSE_GRACE_MS = 1000;

const collect = async (chunks: AsyncIterable<Uint8Array> | undefined): Promise<Buffer | null> => {
  if (chunks === undefined) return null;
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
};

/**
 * HTTP/1.1 over a connection pool. Measured at about twice the throughput of HTTP/2 streams for small unary calls on the
 * same machine, because each call passes fewer of Node's stream layers. For unary and server-streaming calls.
 */
export const createHttpClient = (
  origin: string,
  options: { connections?: number; forStreams?: boolean; tls?: Tls | undefined } = {},
): HttpClient => {
  // A stream is silent for as long as nothing happens; whether the other side still lives is left to TCP's keep-alive.
  const silenceMs = options.forStreams === true ? 0 : 60_000;
  const pool = new Pool(origin, {
    connections: options.connections ?? 64,
    connect: createConnector(options.tls),
    // Below the servers' 65 s, so that no request is sent on a connection that the server is just closing.
    keepAliveTimeout: 30_000,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  return {
    send: async ({ url, method, header, body, signal }) => {
      const { pathname, search } = new URL(url);
      const response = await pool.request({
        path: pathname + search,
        method: method as 'POST',
        headers: Object.fromEntries(header),
        body: await collect(body),
        ...(signal === undefined ? {} : { signal }),
      });
      const headers = new Headers();
      for (const [name, value] of Object.entries(response.headers)) {
        for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) headers.append(name, item);
      }
      return { status: response.statusCode, header: headers, body: response.body, trailer: new Headers() };
    },
    close: async () => {
      // Streams would go on for as long as the other side likes.
      const cut = setTimeout(() => void pool.destroy(), CLOSE_GRACE_MS);
      await pool.close();
      clearTimeout(cut);
    },
  };
};
