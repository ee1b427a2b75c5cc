import type { DescMethod, DescMethodUnary, DescService } from '@bufbuild/protobuf';
import { type CallOptions, type Client, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createTransport } from '@connectrpc/connect/protocol-connect';
import { compressionGzip } from '@connectrpc/connect-node';
import type { ServiceTokenSource } from '../auth/index.ts';
import { rulesOf } from '../contract/index.ts';
import { CodedError, type ErrorCode, fromWire } from '../errors/index.ts';
import { REQUEST_ID_HEADER } from '../request-id.ts';
import type { Tls } from '../tls/index.ts';
import { currentCall, type Tracing } from '../tracing/index.ts';
import { createPool, streamingClient } from './http-client.ts';
import { READ_MAX_BYTES } from './limits.ts';
import { createRetries } from './retry.ts';
import { unaryCall } from './unary-call.ts';

const DEFAULT_TIMEOUT_MS = 5000;

/** Codes that mean the same to every caller: the called service failed, or has no place for another stream. */
const ALWAYS_KNOWN: ReadonlySet<ErrorCode> = new Set(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'STREAM_LIMIT_REACHED', 'UPSTREAM_TIMEOUT']);

export type RpcClientOptions = {
  /** http://host:port of the service. */
  baseUrl: string;
  /** Tokens for calls in this process's own name. Calls on behalf of a user carry the user's token instead. */
  serviceToken?: ServiceTokenSource;
  /** Certificates of this process, for services that ask for mutual TLS. */
  tls?: Tls | undefined;
  /** Records a span for each unary call, and makes the service continue the trace. */
  tracing?: Tracing | undefined;
  /** Default deadline of unary calls, in milliseconds. Default: 5000. */
  timeoutMs?: number;
  /** Factor of all deadlines (`Runtime`). Default: 1. */
  patience?: number;
  /**
   * Passes on only the errors that an RPC's contract lists as its own, failures of the service, and UNAUTHORIZED of a call with its caller's own token. Any other
   * code, for example FORBIDDEN, concerns the call between the services: it becomes INTERNAL_ERROR, with the error as its cause. Default: false.
   */
  ownErrorsOnly?: boolean;
  /** Maximum number of connections for unary calls, and so of unary calls at the same time; others wait. Default: 64. */
  connections?: number;
};

export type RpcChannel = {
  /**
   * Creates a client for one contract of the service. Its calls reject with CodedError.
   * @param options.also codes that are passed on besides those of `ownErrorsOnly`, for a caller that judges them itself
   */
  client: <S extends DescService>(service: S, options?: { also?: readonly ErrorCode[] }) => Client<S>;
  /** Waits up to a second for running calls, then cancels them. */
  close: () => Promise<void>;
};

type Contracts = Readonly<Record<string, DescService>>;

/** Clients of several contracts of one service, by the same names. */
export type ClientsOf<C extends Contracts> = { [Name in keyof C]: Client<C[Name]> };

/** Creates the clients of several contracts of one service. */
export const clientsOf = <C extends Contracts>(channel: Pick<RpcChannel, 'client'>, contracts: C): ClientsOf<C> =>
  Object.fromEntries(Object.entries(contracts).map(([name, contract]) => [name, channel.client(contract)])) as ClientsOf<C>;

const authorizeCalls =
  (source: ServiceTokenSource | undefined): Interceptor =>
  (next) =>
  async (request) => {
    if (source !== undefined && !request.header.has('authorization')) {
      request.header.set('authorization', `Bearer ${await source()}`);
    }
    return next(request);
  };

/** Makes streams continue the trace of the call that opens them. They have no span here: they may last for days. */
const continueTrace =
  (tracing: Tracing | undefined): Interceptor =>
  (next) =>
  (request) => {
    const span = currentCall()?.span;
    if (tracing !== undefined && span !== undefined) {
      const headers = tracing.headersOf(span);
      for (let at = 0; at < headers.length; at += 2) request.header.set(headers[at] ?? '', headers[at + 1] ?? '');
    }
    return next(request);
  };

type Decode = (error: unknown) => never;

/**
 * Creates the decoder of a method's errors.
 * @param own whether only the method's own errors are known, and failures that mean the same to every caller
 * @param also codes that are known besides
 */
const decoder = (desc: DescMethod, own: boolean, also: readonly ErrorCode[]): ((given?: CallOptions) => Decode) => {
  const rules = own ? rulesOf(desc) : undefined;
  return (given) => (thrown) => {
    const error = fromWire(ConnectError.from(thrown));
    if (rules === undefined || rules.ownErrors.has(error.code) || ALWAYS_KNOWN.has(error.code) || also.includes(error.code)) throw error;
    if (error.code === 'UNAUTHORIZED' && new Headers(given?.headers).has('authorization')) throw error;
    throw new CodedError('INTERNAL_ERROR', { cause: error });
  };
};

/** @param leave called when the reader has left: Connect's streams would go on until the garbage collector finds them */
const decodeStream = async function* (stream: AsyncIterable<unknown>, decode: Decode, leave: () => void): AsyncIterable<unknown> {
  try {
    yield* stream;
  } catch (error) {
    decode(error);
  } finally {
    leave();
  }
};

type Method = (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>;

/**
 * Creates a channel to a service. All connections to other services are opened here. Unary calls are made by this package, streams by
 * Connect's transport. Every call rejects with CodedError.
 */
export const createRpcChannel = (options: RpcClientOptions): RpcChannel => {
  const calls = createPool(options.baseUrl, {
    tls: options.tls,
    ...(options.connections === undefined ? {} : { connections: options.connections }),
  });
  // Each open stream holds a connection; a pool of their own leaves the others to unary calls.
  const streams = createPool(options.baseUrl, { forStreams: true, tls: options.tls });
  const unary = {
    dispatcher: calls.pool,
    prefix: new URL(options.baseUrl).pathname.replace(/\/$/, ''),
    serviceToken: options.serviceToken,
    defaultTimeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    patience: options.patience ?? 1,
    retries: createRetries(),
    tracing: options.tracing,
  };
  const transport = createTransport({
    baseUrl: options.baseUrl,
    useBinaryFormat: true,
    interceptors: [authorizeCalls(options.serviceToken), continueTrace(options.tracing)],
    acceptCompression: [compressionGzip],
    sendCompression: null,
    compressMinBytes: 1024,
    readMaxBytes: READ_MAX_BYTES,
    writeMaxBytes: READ_MAX_BYTES,
    httpClient: streamingClient(streams.pool),
  });
  return {
    client: (service, { also = [] } = {}) => {
      const streaming = createClient(service, transport) as Record<string, Method>;
      const methods = service.methods.map((desc) => {
        const decode = decoder(desc, options.ownErrorsOnly === true, also);
        if (desc.methodKind === 'unary') {
          const call = unaryCall(desc as DescMethodUnary, unary);
          return [desc.localName, (request: Record<string, unknown>, given?: CallOptions) => call(request, given).catch(decode(given))];
        }
        const open = streaming[desc.localName];
        const stream = (request: unknown, given?: CallOptions) => {
          const left = new AbortController();
          const signal = given?.signal === undefined ? left.signal : AbortSignal.any([given.signal, left.signal]);
          return decodeStream(open?.(request, { ...given, signal }) as AsyncIterable<unknown>, decode(given), () => left.abort());
        };
        return [desc.localName, stream];
      });
      return Object.fromEntries(methods) as Client<typeof service>;
    },
    close: async () => {
      await Promise.all([calls.close(), streams.close()]);
    },
  };
};

/** Call options for a call on behalf of a user: the user's token and the request id. */
export const onBehalfOf = (call: { token: string; requestId: string }) => ({
  headers: { authorization: `Bearer ${call.token}`, [REQUEST_ID_HEADER]: call.requestId },
});

/** Call options for a call in the process's own name: the request id. */
export const withinRequest = (call: { requestId: string }) => ({ headers: { [REQUEST_ID_HEADER]: call.requestId } });
