import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { DescMethod } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ConnectRouterOptions,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect';
import type { UniversalServerResponse } from '@connectrpc/connect/protocol';
import { compressionGzip, universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
import { type CodedError, toCodedError, toWire } from '../errors/index.ts';
import type { Logger } from '../observe/index.ts';
import { peerNames } from '../tls/index.ts';
import { createAnonymousCalls } from './call-slots.ts';
import { completeResponse } from './complete-response.ts';
import type { BeginCall, BeginStream, BegunCall, BegunStream, CallControl, NodeHandler } from './exchange.ts';
import type { StreamingMethod, UnaryMethod } from './implement.ts';
import { joinReady } from './join-ready.ts';
import { ANONYMOUS_READ_MAX_BYTES, COMPRESS_MIN_BYTES, MAX_TIMEOUT_MS, READ_MAX_BYTES, WRITE_MAX_BYTES } from './limits.ts';
import type { DescribeError, FailedRequest } from './protocol-errors.ts';

const ROUTER_OPTIONS: ConnectRouterOptions = {
  readMaxBytes: READ_MAX_BYTES,
  writeMaxBytes: WRITE_MAX_BYTES,
  compressMinBytes: COMPRESS_MIN_BYTES,
  maxTimeoutMs: MAX_TIMEOUT_MS,
  // Not brotli: a message of a few hundred bytes can make it allocate megabytes before the sender is authenticated.
  acceptCompression: [compressionGzip],
};

/** The path at which an RPC is served in all protocols. */
export const pathOf = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`;

/** The call that was begun for a request when its headers arrived, and what is known of the request if it fails. */
type Begun = { begun: BegunCall | BegunStream; request: FailedRequest };

/** Ends the response of a request at once. */
const kCut = createContextKey<() => void>(() => undefined);

const cutResponse = (response: ServerResponse | Http2ServerResponse): void => {
  if ('stream' in response) response.stream.close(constants.NGHTTP2_CANCEL);
  else response.destroy();
};

const kBegun = createContextKey<Begun | undefined>(undefined);

/** The begun call of a request, whose method is about to run. */
const begunOf = <B extends BegunCall | BegunStream>({ values }: HandlerContext): B => {
  const found = values.get(kBegun);
  if (found === undefined) throw new ConnectError('the call was not begun', Code.Internal);
  found.request.ran = true;
  return found.begun as B;
};

/** The connection of a request. Over HTTP/2, `request.socket` is a restricted proxy, so the socket of the session is used. */
const socketOf = (request: IncomingMessage | Http2ServerRequest) =>
  'stream' in request ? (request.stream.session?.socket as Socket | undefined) : request.socket;

/** The stream that finishes when a response has been sent. Over HTTP/2 that is its stream: `response` finishes only once the request has ended, too. */
const sentBy = (response: ServerResponse | Http2ServerResponse): EventEmitter => ('stream' in response ? response.stream : response);

/** The body of a request, which is not read before the call is admitted. */
const afterAdmission = async function* (begun: BegunCall | BegunStream, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  await begun.admit();
  yield* body;
};

/** The body of a request that anyone may send. It is not read if the call is refused, and only up to the limit. */
const fromAnyone = async function* (refusal: CodedError | undefined, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (refusal !== undefined) throw toWire(refusal);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > ANONYMOUS_READ_MAX_BYTES) {
      throw new ConnectError(`the request exceeds ${ANONYMOUS_READ_MAX_BYTES} bytes`, Code.ResourceExhausted);
    }
    yield chunk;
  }
};

const isLate = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof ConnectError && reason.code === Code.DeadlineExceeded;

const controlOf = ({ signal, responseHeader, responseTrailer }: HandlerContext): CallControl => ({
  signal,
  disconnected: () => signal.aborted && !isLate(signal),
  setHeader: (name, value) => responseHeader.append(name, value),
  setTrailer: (name, value) => responseTrailer.append(name, value),
});

/** Rejects once the caller's deadline passes. The work goes on; its outcome is unknown to the caller. */
const withinDeadline = <T>(work: Promise<T>, { signal, timeoutMs }: HandlerContext): Promise<T> => {
  if (timeoutMs() === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => {
    if (isLate(signal)) reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort);
  onAbort();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort));
};

const routeUnary = (router: ConnectRouter, { desc }: UnaryMethod): void => {
  router.rpc(desc, (message, context) => withinDeadline(begunOf<BegunCall>(context).run(message, controlOf(context)), context));
};

const routeStream = (router: ConnectRouter, { desc }: StreamingMethod): void => {
  router.rpc(desc, (message, context) => begunOf<BegunStream>(context).run(message, context.signal, context.values.get(kCut)));
};

/** The response to a path at which nothing is served. */
const NOT_FOUND: UniversalServerResponse = { status: 404 };

/** The response to a request that is not valid HTTP. */
const UNREADABLE: UniversalServerResponse = { status: 400 };

/**
 * Serves calls in every form that Connect's own server knows: gRPC, gRPC-Web, and Connect with JSON, GET or HTTP/2. Methods of
 * contracts are authorized by their headers before the body is read.
 */
export const connectHandler = ({
  unary,
  streams,
  register,
  documents,
  logger,
  describe,
  jsonOptions,
}: {
  unary: readonly UnaryMethod[];
  streams: readonly StreamingMethod[];
  /** Registers services that need no authorization. */
  register: (router: ConnectRouter) => void;
  /** Serves a request for another path. @returns false if nothing is at the path */
  documents: (request: IncomingMessage, response: ServerResponse) => boolean;
  logger: Logger;
  /** Describes errors that Connect's server raises itself. Without it they are sent as they are. */
  describe?: DescribeError;
  /** Types of packed messages (google.protobuf.Any) in JSON. */
  jsonOptions?: ConnectRouterOptions['jsonOptions'];
}): NodeHandler => {
  const router = createConnectRouter({ ...ROUTER_OPTIONS, ...(jsonOptions === undefined ? {} : { jsonOptions }) });
  for (const method of unary) routeUnary(router, method);
  for (const method of streams) routeStream(router, method);
  register(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const begins = new Map<string, BeginCall | BeginStream>([...unary, ...streams].map(({ desc, begin }) => [pathOf(desc), begin]));

  const streamPaths = new Set(streams.map(({ desc }) => pathOf(desc)));

  const anonymousCalls = createAnonymousCalls();

  /** Counts a call until its response has ended. @returns the error if there are too many */
  const takeAnonymous = (request: IncomingMessage, response: ServerResponse): CodedError | undefined => {
    try {
      response.once('close', anonymousCalls.take(socketOf(request) ?? request));
      return undefined;
    } catch (thrown) {
      return toCodedError(thrown);
    }
  };

  const send = async (
    { headers }: IncomingMessage,
    response: ServerResponse,
    answer: UniversalServerResponse,
    failed: FailedRequest = { headers, maxBytes: READ_MAX_BYTES },
    isStream = false,
  ): Promise<void> => {
    const type = headers['content-type']?.toLowerCase() ?? '';
    const complete = describe === undefined ? answer : await completeResponse(answer, type, (error) => describe(error, failed));
    const { body } = complete;
    await universalResponseToNodeResponse(isStream && body ? { ...complete, body: joinReady(body) } : complete, response);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const handle = handlers.get(path);
    if (handle === undefined) {
      if (!documents(request, response)) await send(request, response, NOT_FOUND);
      return;
    }
    const { headers } = request;
    const begun = begins.get(path)?.({ headers, peer: peerNames(socketOf(request)) });
    const isAnonymous = begun?.anonymous ?? true;
    const failed: FailedRequest = { headers, maxBytes: isAnonymous ? ANONYMOUS_READ_MAX_BYTES : READ_MAX_BYTES };
    const values = createContextValues()
      .set(kBegun, begun === undefined ? undefined : { begun, request: failed })
      .set(kCut, () => cutResponse(response));
    const universal = universalRequestFromNodeRequest(request, response, undefined, values);
    // The rest of a body is read and discarded when a call is rejected, or it would block the next request on the connection.
    const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    sentBy(response).once('finish', () => request.resume());
    for (const [name, value] of Object.entries(begun?.headers ?? {})) response.setHeader(name, value);
    const refusal = isAnonymous ? takeAnonymous(request, response) : undefined;
    const bounded = isAnonymous ? fromAnyone(refusal, body) : body;
    const answer = await handle({ ...universal, body: begun === undefined ? bounded : afterAdmission(begun, bounded) });
    await send(request, response, answer, failed, streamPaths.has(path));
  };

  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    serve(request, response, path).catch((thrown: unknown) => {
      if (ConnectError.from(thrown).code === Code.Aborted) return;
      logger.warn({ err: thrown, path }, 'serving a request failed');
      // The request is unreadable, for example for its Host header, or the response cannot be written.
      if (response.headersSent) response.destroy();
      else send(request, response, UNREADABLE).catch(() => response.destroy());
    });
  };
};
