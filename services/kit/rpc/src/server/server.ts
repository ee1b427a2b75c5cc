import type { ServerResponse } from 'node:http';
import { Health } from '@florin/proto/health/v1/health';
import { CodedError } from '../errors/index.ts';
import type { HealthChecks } from '../health.ts';
import type { Logger } from '../observe/index.ts';
import type { ConnectionLife } from '../process/index.ts';
import type { Tls } from '../tls/index.ts';
import { createRefusalRecorder } from './audit.ts';
import type { Surroundings } from './call-frame.ts';
import { createStreamSlots, STREAM_LIMITS, type StreamLimits } from './call-slots.ts';
import { connectHandler, pathOf } from './connect-handler.ts';
import type { NodeHandler } from './exchange.ts';
import { registerHealth } from './health.ts';
import type { ServiceImplementation } from './implement.ts';
import { type Listener, listen } from './listener.ts';
import { describeError } from './protocol-errors.ts';
import { registerReflection } from './reflection.ts';
import { isBinaryUnary, unaryHandler } from './serve-unary.ts';

/** A reader that has not read the end of its stream by then is disconnected. */
const CUT_AFTER_MS = 5000;

export type RpcServerOptions = Omit<Surroundings, 'closing' | 'streams' | 'cutAfterMs' | 'recordRefusal'> &
  ConnectionLife & {
    host: string;
    /** 0 selects a free port. */
    port: number;
    /** Mutual TLS: clients must prove a certificate of the platform's authorities. Cleartext without it. */
    tls?: Tls;
    services: readonly ServiceImplementation[];
    /** Serves reflection, which needs no token: it describes every contract. Default: true. */
    reflection?: boolean;
    /** Dependencies that must respond for the process to be healthy. */
    health: HealthChecks;
    /** JSON documents by path, served over plain HTTP: for example the published keys. */
    documents?: Readonly<Record<string, () => Promise<unknown>>>;
    /** How many streams may be open. Default: 8,192 of a client, 16,384 in all. */
    streamLimits?: StreamLimits;
    /** How long a stream that has ended waits for its reader. Default: 5,000. */
    cutAfterMs?: number;
  };

const serveDocument = async (document: () => Promise<unknown>, response: ServerResponse, logger: Logger): Promise<void> => {
  try {
    const body = JSON.stringify(await document());
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  } catch (err) {
    logger.error({ err }, 'producing a document failed');
    response.writeHead(503).end();
  }
};

/** Serves contracts over gRPC, gRPC-Web and Connect on one port, with health and reflection. */
export const startRpcServer = async (options: RpcServerOptions): Promise<Listener> => {
  const contracts = options.services.map(({ service }) => service);
  const names = contracts.map(({ typeName }) => typeName);
  const closing = new AbortController();
  const { streamLimits = STREAM_LIMITS, cutAfterMs = CUT_AFTER_MS } = options;
  const surroundings: Surroundings = {
    ...options,
    closing: closing.signal,
    streams: createStreamSlots(streamLimits),
    cutAfterMs,
    recordRefusal: createRefusalRecorder(options.audit),
  };
  const unary = options.services.flatMap((service) => service.unary(surroundings));
  const reporting = { logger: options.logger, describe: describeError };
  const binary = new Map(unary.map(({ desc, begin }) => [pathOf(desc), unaryHandler(desc, begin, reporting)]));
  const others = connectHandler({
    unary,
    streams: options.services.flatMap((service) => service.streams(surroundings)),
    register: (router) => {
      registerHealth(router, names, options.health, options.draining);
      if (options.reflection !== false) registerReflection(router, [...contracts, Health]);
    },
    documents: ({ url = '' }, response) => {
      const document = options.documents?.[url];
      if (document !== undefined) void serveDocument(document, response, options.logger);
      return document !== undefined;
    },
    ...reporting,
  });
  const handler: NodeHandler = (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const serve = (isBinaryUnary(request) ? binary.get(path) : undefined) ?? others;
    serve(request, response);
  };
  const listener = await listen(handler, options);
  return {
    ...listener,
    close: (graceMs) => {
      closing.abort(new CodedError('SERVICE_UNAVAILABLE', { message: 'the server is shutting down' }));
      return listener.close(graceMs);
    },
  };
};
