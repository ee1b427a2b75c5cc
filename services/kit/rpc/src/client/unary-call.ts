import type { DescMethodUnary, Message } from '@bufbuild/protobuf';
import { type CallOptions, Code, ConnectError } from '@connectrpc/connect';
import type { Dispatcher } from 'undici';
import type { ServiceTokenSource } from '../auth/index.ts';
import { decode, encode } from '../codec/index.ts';
import { fromWire } from '../errors/index.ts';
import { rpcAttributes, type Span, type Tracing } from '../tracing/index.ts';
import { READ_MAX_BYTES } from './limits.ts';
import type { Retries } from './retry.ts';
import { exchange, toHeaders, type UnaryResponse } from './unary-exchange.ts';

export type UnaryCalls = {
  dispatcher: Dispatcher;
  /** Path of the service's base URL, without a slash at its end. */
  prefix: string;
  serviceToken: ServiceTokenSource | undefined;
  defaultTimeoutMs: number;
  /** Factor of all deadlines. */
  patience: number;
  retries: Retries;
  tracing: Tracing | undefined;
};

/** Names and values in turn, as undici takes them. */
const headersOf = async (given: CallOptions['headers'], token: ServiceTokenSource | undefined): Promise<string[]> => {
  const headers = ['content-type', 'application/proto', 'connect-protocol-version', '1', 'accept-encoding', 'gzip', 'user-agent', 'florin'];
  const isIterable = given instanceof Headers || Array.isArray(given);
  let authorized = false;
  for (const [name, value] of isIterable ? given : Object.entries(given ?? {})) {
    authorized ||= name.toLowerCase() === 'authorization';
    headers.push(name, value as string);
  }
  if (!authorized && token !== undefined) headers.push('authorization', `Bearer ${await token()}`);
  return headers;
};

const parse = (desc: DescMethodUnary, body: Uint8Array): Message => {
  try {
    return decode(desc.output, body);
  } catch (thrown) {
    throw new ConnectError(`parse binary: ${(thrown as Error).message}`, Code.Internal);
  }
};

const TRAILER = 'trailer-';

/** Hands the metadata of a response to those who asked for it. Trailing metadata is sent as headers with a prefix. */
const reportMetadata = ({ headers }: UnaryResponse, { onHeader, onTrailer }: CallOptions): void => {
  if (onHeader === undefined && onTrailer === undefined) return;
  const [leading, trailing] = [new Headers(), new Headers()];
  for (const [name, value] of toHeaders(headers)) {
    if (name.startsWith(TRAILER)) trailing.append(name.slice(TRAILER.length), value);
    else leading.append(name, value);
  }
  onHeader?.(leading);
  onTrailer?.(trailing);
};

/**
 * Creates the client's side of a unary method: the Connect protocol's binary format over HTTP/1.1, without the streams, iterables and
 * abort controllers of Connect's own transport.
 * @returns a function that rejects with ConnectError
 */
export const unaryCall = (desc: DescMethodUnary, calls: UnaryCalls) => {
  const rpc = `${desc.parent.typeName}/${desc.name}`;
  const path = `${calls.prefix}/${rpc}`;
  const { tracing } = calls;
  const call = async (message: Record<string, unknown>, options: CallOptions, span: Span | undefined): Promise<Message> => {
    const body = encode(desc.input, message);
    if (body.byteLength > READ_MAX_BYTES) throw new ConnectError(`the request exceeds ${READ_MAX_BYTES} bytes`, Code.ResourceExhausted);
    const { signal, timeoutMs = calls.defaultTimeoutMs } = options;
    const deadline = timeoutMs > 0 ? performance.now() + timeoutMs * calls.patience : undefined;
    const given = await headersOf(options.headers, calls.serviceToken);
    if (span !== undefined && tracing !== undefined) given.push(...tracing.headersOf(span));
    const response = await calls.retries(desc, { deadline, signal }, (leftMs) => {
      const headers = leftMs === undefined ? given : [...given, 'connect-timeout-ms', String(Math.ceil(leftMs))];
      return exchange(calls.dispatcher, { path, headers, body, timeoutMs: leftMs, signal });
    });
    reportMetadata(response, options);
    return parse(desc, response.body);
  };
  if (tracing === undefined) return (message: Record<string, unknown>, options: CallOptions = {}) => call(message, options, undefined);
  const attributes = rpcAttributes(rpc);
  return async (message: Record<string, unknown>, options: CallOptions = {}): Promise<Message> => {
    const span = tracing.startCall(rpc, attributes);
    if (!span.isRecording()) return call(message, options, span);
    try {
      const response = await call(message, options, span);
      tracing.end(span);
      return response;
    } catch (thrown) {
      tracing.end(span, { code: fromWire(ConnectError.from(thrown)).code });
      throw thrown;
    }
  };
};
