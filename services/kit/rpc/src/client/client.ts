import type { DescService } from '@bufbuild/protobuf';
import { type CallOptions, type Client, ConnectError, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createTransport } from '@connectrpc/connect/protocol-connect';
import { compressionGzip } from '@connectrpc/connect-node';
import type { ServiceTokenSource } from '../auth/index.ts';
import { fromWire } from '../errors/index.ts';
import { REQUEST_ID_HEADER } from '../request-id/index.ts';
import type { Tls } from '../tls/index.ts';
import { createHttpClient } from './http-client.ts';
import { retryIdempotent } from './retry.ts';

const DEFAULT_TIMEOUT_MS = 5000;
const READ_MAX_BYTES = 4 * 1024 * 1024;

export type RpcClientOptions = {
  /** http://host:port of the service. */
  baseUrl: string;
  /** Tokens for calls in this process's own name. Calls on behalf of a user carry the user's token instead. */
  serviceToken?: ServiceTokenSource;
  /** Certificates of this process, for services that ask for mutual TLS. */
  tls?: Tls | undefined;
  /** Default deadline of unary calls, in milliseconds. Default: 5000. */
  timeoutMs?: number;
};

export type RpcChannel = {
  /** Creates a client for one contract of the service. Its calls reject with CodedError. */
  client: <S extends DescService>(service: S) => Client<S>;
  /** Waits up to a second for running calls, then cancels them. */
  close: () => Promise<void>;
};

const authorizeCalls =
  (source: ServiceTokenSource | undefined): Interceptor =>
  (next) =>
  async (request) => {
    if (source !== undefined && !request.header.has('authorization')) {
      request.header.set('authorization', `Bearer ${await source()}`);
    }
    return next(request);
  };

const decode = (error: unknown): never => {
  throw fromWire(ConnectError.from(error));
};

const decodeStream = async function* (stream: AsyncIterable<unknown>): AsyncIterable<unknown> {
  try {
    yield* stream;
  } catch (error) {
    decode(error);
  }
};

/**
 * Makes every call of a client reject with CodedError. This wraps the client rather than the transport, because Connect converts
 * anything that an interceptor throws to a ConnectError.
 */
const decodeErrors = <S extends DescService>(service: S, client: Client<S>): Client<S> => {
  const methods = client as Record<string, (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>>;
  const wrapped = service.methods.map(({ localName, methodKind }) => {
    const method = methods[localName];
    return [
      localName,
      // A stream has no deadline unless its caller sets one.
      (request: unknown, options?: CallOptions) => {
        const result = method?.(request, methodKind === 'unary' ? options : { timeoutMs: 0, ...options });
        return result instanceof Promise ? result.catch(decode) : decodeStream(result as AsyncIterable<unknown>);
      },
    ];
  });
  return Object.fromEntries(wrapped) as Client<S>;
};

/** Creates a channel to a service. All transports to other services are created here. */
export const createRpcChannel = (options: RpcClientOptions): RpcChannel => {
  const calls = createHttpClient(options.baseUrl, { tls: options.tls });
  // Each open stream holds a connection; a pool of their own leaves the others to unary calls.
  const streams = createHttpClient(options.baseUrl, { forStreams: true, tls: options.tls });
  const settings = {
    baseUrl: options.baseUrl,
    useBinaryFormat: true,
    interceptors: [authorizeCalls(options.serviceToken), retryIdempotent],
    acceptCompression: [compressionGzip],
    sendCompression: null,
    compressMinBytes: 1024,
    readMaxBytes: READ_MAX_BYTES,
    writeMaxBytes: READ_MAX_BYTES,
    defaultTimeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  };
  const unary = createTransport({ ...settings, httpClient: calls.send });
  const streaming = createTransport({ ...settings, httpClient: streams.send });
  const transport: Transport = { unary: unary.unary.bind(unary), stream: streaming.stream.bind(streaming) };
  return {
    client: (service) => decodeErrors(service, createClient(service, transport)),
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
