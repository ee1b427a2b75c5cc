import type { UniversalClientFn } from '@connectrpc/connect/protocol';
import { Pool } from 'undici';
import { createConnector, type Tls } from '../tls/index.ts';

export type HttpClient = {
  send: UniversalClientFn;
  /** Waits up to a second for running calls, then cancels them. */
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
 * Creates an HTTP/1.1 client over a connection pool, for unary and server-streaming calls. For small unary calls it has about twice
 * the throughput of HTTP/2 on one machine, because each call passes fewer of Node's stream layers.
 */
export const createHttpClient = (
  origin: string,
  options: { connections?: number; forStreams?: boolean; tls?: Tls | undefined } = {},
): HttpClient => {
  // A stream may be silent for any time; TCP keep-alive detects a lost peer.
  const silenceMs = options.forStreams === true ? 0 : 60_000;
  const pool = new Pool(origin, {
    connections: options.connections ?? 64,
    connect: createConnector(options.tls),
    // Below the servers' 65 s, so that no request is sent on a connection that the server is closing.
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
      // Streams do not end by themselves.
      const cut = setTimeout(() => void pool.destroy(), CLOSE_GRACE_MS);
      await pool.close();
      clearTimeout(cut);
    },
  };
};
