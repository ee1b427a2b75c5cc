import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import { type ConnectRouter, createContextValues } from '@connectrpc/connect';
import { compressionGzip, connectNodeAdapter } from '@connectrpc/connect-node';
import { Health } from '@florin/proto/health/v1/health';
import { CodedError } from '../errors/index.ts';
import type { HealthChecks } from '../health/index.ts';
import type { Tls } from '../tls/index.ts';
import { peerNames } from '../tls/index.ts';
import type { Surroundings } from './call-frame.ts';
import { registerHealth } from './health.ts';
import type { ServiceImplementation } from './implement.ts';
import { COMPRESS_MIN_BYTES, MAX_TIMEOUT_MS, READ_MAX_BYTES, WRITE_MAX_BYTES } from './limits.ts';
import { type Listener, listen } from './listener.ts';
import { kPeerNames } from './peer-context.ts';
import { registerReflection } from './reflection.ts';

export type RpcServerOptions = Omit<Surroundings, 'closing'> & {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Mutual TLS: clients must prove a certificate of the platform's authorities. Cleartext without it. */
  tls?: Tls;
  services: readonly ServiceImplementation[];
  /** Dependencies that must respond for the process to be healthy. */
  health: HealthChecks;
  /** JSON documents by path, served over plain HTTP: for example the published keys. */
  documents?: Readonly<Record<string, () => Promise<unknown>>>;
};

/** The connection of a request. Over HTTP/2, `request.socket` is a restricted proxy, so the socket of the session is used. */
const socketOf = (request: IncomingMessage | Http2ServerRequest) =>
  'stream' in request ? (request.stream.session?.socket as Socket | undefined) : request.socket;

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
    options.logger.error({ err }, 'producing a document failed');
    response.writeHead(503).end();
  }
};

/** Serves contracts over gRPC, gRPC-Web and Connect on one port, with reflection and health. */
export const startRpcServer = async (options: RpcServerOptions): Promise<Listener> => {
  const contracts = options.services.map(({ service }) => service);
  const names = contracts.map(({ typeName }) => typeName);
  const closing = new AbortController();
  const surroundings: Surroundings = { ...options, closing: closing.signal };
  const handler = connectNodeAdapter({
    readMaxBytes: READ_MAX_BYTES,
    writeMaxBytes: WRITE_MAX_BYTES,
    compressMinBytes: COMPRESS_MIN_BYTES,
    maxTimeoutMs: MAX_TIMEOUT_MS,
    // Not brotli: a message of a few hundred bytes can make it allocate megabytes before the sender is authenticated.
    acceptCompression: [compressionGzip],
    routes: (router: ConnectRouter) => {
      for (const { register } of options.services) register(router, surroundings);
      registerHealth(router, names, options.health);
      registerReflection(router, [...contracts, Health]);
    },
    contextValues: (request) => createContextValues().set(kPeerNames, peerNames(socketOf(request as IncomingMessage | Http2ServerRequest))),
    fallback: (request, response) => {
      void serveDocument(options, request as IncomingMessage, response as unknown as ServerResponse);
    },
  });
  const listener = await listen(handler, options);
  return {
    ...listener,
    close: (graceMs) => {
      closing.abort(new CodedError('SERVICE_UNAVAILABLE', { message: 'the server is shutting down' }));
      return listener.close(graceMs);
    },
  };
};
