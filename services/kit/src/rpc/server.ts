import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConnectRouter } from '@connectrpc/connect';
import { compressionGzip, connectNodeAdapter } from '@connectrpc/connect-node';
import { Health } from '@florin/proto/health/v1/health';
import { type HealthChecks, registerHealth } from './health.ts';
import type { ServiceImplementation, Surroundings } from './implement.ts';
import { type Listener, listen } from './listener.ts';
import { registerReflection } from './reflection.ts';

/** connect accepts 4 GiB unless told otherwise. */
const READ_MAX_BYTES = 1024 * 1024;
const WRITE_MAX_BYTES = 4 * 1024 * 1024;

/** Within a data centre bytes are cheaper than the processor: only what is really big is compressed. */
const COMPRESS_MIN_BYTES = 256 * 1024;

/** The longest deadline that a caller may ask for. */
const MAX_TIMEOUT_MS = 60_000;

export type RpcServerOptions = Omit<Surroundings, 'closing'> & {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  services: readonly ServiceImplementation[];
  /** What must answer for the process to be healthy. */
  health: HealthChecks;
  /** Plain HTTP documents by path, for what is no RPC (the published keys). */
  documents?: Readonly<Record<string, () => Promise<unknown>>>;
};

const serveDocument = async (options: RpcServerOptions, request: { url?: string | undefined }, response: ServerResponse): Promise<void> => {
  const document = options.documents?.[request.url ?? ''];
  if (document === undefined) {
    response.writeHead(404).end();
    return;
  }
  try {
    const body = JSON.stringify(await document());
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  } catch (err) {
    options.logger.error({ err }, 'document failed');
    response.writeHead(503).end();
  }
};

/** Serves contracts over gRPC, gRPC-Web and Connect on one port, with reflection and health. */
export const startRpcServer = async (options: RpcServerOptions): Promise<Listener> => {
  const contracts = options.services.map(({ service }) => service);
  const names = contracts.map(({ typeName }) => typeName);
  const closing = new AbortController();
  const handler = connectNodeAdapter({
    readMaxBytes: READ_MAX_BYTES,
    writeMaxBytes: WRITE_MAX_BYTES,
    compressMinBytes: COMPRESS_MIN_BYTES,
    maxTimeoutMs: MAX_TIMEOUT_MS,
    // Not brotli: each message of a few hundred bytes can make it hold megabytes, before anybody has asked who sends it.
    acceptCompression: [compressionGzip],
    routes: (router: ConnectRouter) => {
      for (const { register } of options.services) register(router, { ...options, closing: closing.signal });
      registerHealth(router, names, options.health);
      registerReflection(router, [...contracts, Health]);
    },
    fallback: (request, response) => {
      void serveDocument(options, request as IncomingMessage, response as unknown as ServerResponse);
    },
  });
  const listener = await listen(handler, options);
  return {
    ...listener,
    close: (graceMs) => {
      closing.abort();
      return listener.close(graceMs);
    },
  };
};
