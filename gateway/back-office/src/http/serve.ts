import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { SECURITY_HEADERS } from '@florin/gateway/security-headers';
import { CodedError, ERRORS, type ErrorCode, toCodedError } from '@florin/rpc/errors';
import type { Metrics } from '@florin/rpc/metrics';
import { createCallLogger, type Logger } from '@florin/rpc/observe';
import { requestIdFrom } from '@florin/rpc/request-id';
import { beginCall, idsOf } from '@florin/rpc/tracing';
import { actorOf, type RecordRefusal } from '../audit/recorder.ts';
import type { Failure } from '../contract/index.ts';
import { ENDED_SESSION, type OperatorSession, type Sessions, UNKNOWN_TOKEN } from '../operators/sessions.ts';
import { readOwnCookie } from './cookies.ts';
import type { Answer, Endpoint, Incoming } from './endpoint.ts';
import { match } from './match.ts';
import type { ServePages } from './pages.ts';
import { readBody } from './read-body.ts';
import type { TakeRequest } from './request-limits.ts';

/**
 * Requires that a request comes from a page of this origin: other ports of a host share its cookies, and other hosts of a site count as the same
 * site. Browsers say where a request comes from (Fetch Metadata), and name the origin with everything that may change something.
 * @throws CodedError FORBIDDEN, UNSUPPORTED_MEDIA_TYPE
 */
const requireOwnPage = ({ method, headers }: IncomingMessage, origin: string): void => {
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin';
  const changes = method !== 'GET' && method !== 'HEAD';
  if (isForeign || (changes && headers.origin !== origin)) {
    throw new CodedError('FORBIDDEN', { message: 'the request is not one of a page of this origin' });
  }
  if (changes && headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new CodedError('UNSUPPORTED_MEDIA_TYPE', { message: 'the body must be application/json' });
  }
};

export type Serving = {
  endpoints: readonly Endpoint[];
  sessions: Pick<Sessions, 'require' | 'allow'>;
  recordRefusal: RecordRefusal;
  /** Name of the session's cookie. */
  cookieName: string;
  /** The origin of the pages. */
  origin: string;
  pages: ServePages | undefined;
  limit: TakeRequest;
  logger: Logger;
  metrics: Pick<Metrics, 'requestServed'> | undefined;
  /** Hears of every request that failed by a fault of this side. */
  failed?: (error: CodedError) => void;
};

/** A request while it is served. */
type Context = { requestId: string; logger: Logger; route: string; operatorId?: string };

const send = (response: ServerResponse, { status, body, headers = {} }: Answer): void => {
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  response.statusCode = status ?? (content === undefined ? 204 : 200);
  response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value as string | string[]);
  if (content !== undefined) {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', content.length);
  }
  response.end(content);
};

/** Errors whose facts pages have words for. Those of the others are for programs, and stay inside. */
const DETAILED: ReadonlySet<ErrorCode> = new Set(['HALT_NOT_RESOLVABLE', 'SELF_APPROVAL']);

/** The words of an error that are safe to show: what a request had wrong, and otherwise the code alone. */
const failureOf = (error: CodedError, requestId: string): Answer => {
  const status = ERRORS[error.code].http;
  const details = DETAILED.has(error.code) ? { details: { ...error.metadata } } : {};
  const body: Failure = { error: error.code, message: status < 500 ? error.message : error.code, requestId, ...details };
  const seconds = error.metadata['retryAfterSeconds'];
  return { status, body, ...(seconds === undefined ? {} : { headers: { 'Retry-After': seconds } }) };
};

const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Every other path is a page, which has no data of its own. */
const servePage = (serving: Serving, request: IncomingMessage, response: ServerResponse, path: string): void => {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new CodedError('METHOD_NOT_ALLOWED');
  const page = isApi(path) ? undefined : serving.pages?.(path, request.headers['accept-encoding'] ?? '');
  if (page === undefined) throw new CodedError('NOT_FOUND');
  for (const [name, value] of Object.entries(page.headers)) response.setHeader(name, value);
  response.setHeader('Content-Length', page.content.length);
  response.end(request.method === 'HEAD' ? undefined : page.content);
};

/** Pages send it with a read that nobody asked for, of something that a person also reads: the session lives no longer by it. */
const POLLED_HEADER = 'x-polled';

/** The audit log's words for a token that is not that of a session. */
const NO_SESSION: ReadonlyMap<unknown, string> = new Map([
  [UNKNOWN_TOKEN, 'a token that no session has'],
  [ENDED_SESSION, 'the token of a session that is over'],
]);

/**
 * The session of a request. Guessing tokens is limited like every sign-in, and recorded. So is the use of a session that is over; a page that is left open and polls goes
 * unrecorded.
 * @throws CodedError UNAUTHORIZED, RATE_LIMITED
 */
const requireSession = async (
  { sessions, recordRefusal, limit, cookieName }: Serving,
  endpoint: Endpoint,
  incoming: Incoming,
): Promise<OperatorSession> => {
  const isPolled = endpoint.isPolled === true;
  try {
    return await sessions.require(incoming.cookie(cookieName), { isUse: !isPolled && incoming.header(POLLED_HEADER) === undefined });
  } catch (error) {
    const what = NO_SESSION.get(error);
    if (what === undefined || (error === ENDED_SESSION && isPolled)) throw error;
    if (error === UNKNOWN_TOKEN) limit('sign-in', incoming.address);
    return recordRefusal(incoming, { what }, () => Promise.reject(error));
  }
};

const serveEndpoint = async (
  serving: Serving,
  request: IncomingMessage,
  { endpoint, params, url, context }: { endpoint: Endpoint; params: Record<string, string>; url: URL; context: Context },
): Promise<Answer> => {
  // A provider sends browsers to the other paths: they are navigations from its origin.
  if (isApi(endpoint.path)) requireOwnPage(request, serving.origin);
  const address = request.socket.remoteAddress ?? 'unknown';
  serving.limit(endpoint.access === 'public' ? 'sign-in' : 'general', address);
  const cookie = (name: string): string | undefined => readOwnCookie(request.headers.cookie, name);
  const incoming: Incoming = {
    requestId: context.requestId,
    address,
    params,
    query: url.searchParams,
    // Before the session is looked at: a body may take long, and who may do something is decided when it is done.
    body: request.method === 'GET' ? undefined : await readBody(request),
    cookie,
    header: (name) => request.headers[name]?.toString(),
    logger: context.logger,
  };
  if (endpoint.access === 'public') return endpoint.handle(incoming);
  const session = await requireSession(serving, endpoint, incoming);
  context.operatorId = session.operator._id;
  const { access, method, path } = endpoint;
  const attempt = { actor: actorOf(session.operator._id), what: `${method} ${path}` };
  const refusable = <T>(work: () => Promise<T>): Promise<T> => serving.recordRefusal(incoming, attempt, work);
  if (access !== 'session') await refusable(async () => serving.sessions.allow(session, access, { changes: method !== 'GET' }));
  try {
    return await endpoint.handle(incoming, session);
  } catch (error) {
    // Handlers ask for a confirmation before they record anything.
    if (toCodedError(error).code !== 'REAUTHENTICATION_REQUIRED') throw error;
    return refusable(() => Promise.reject(error));
  }
};

const serve = async (serving: Serving, request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> => {
  // Two slashes would name another host.
  if (request.url === undefined || !/^\/(?!\/)/.test(request.url)) throw new CodedError('NOT_FOUND');
  const url = new URL(request.url, serving.origin);
  const found = match(serving.endpoints, request.method ?? '', url.pathname);
  if (found === undefined) {
    context.route = 'pages';
    servePage(serving, request, response, url.pathname);
    return;
  }
  if ('allowed' in found) {
    response.setHeader('Allow', found.allowed.join(', '));
    throw new CodedError('METHOD_NOT_ALLOWED');
  }
  context.route = found.endpoint.path;
  send(response, await serveEndpoint(serving, request, { ...found, url, context }));
};

const fail = ({ failed }: Serving, thrown: unknown, response: ServerResponse, { requestId, logger }: Context): void => {
  const error =
    thrown instanceof TypeError && 'code' in thrown && thrown.code === 'ERR_INVALID_URL'
      ? new CodedError('NOT_FOUND')
      : toCodedError(thrown);
  if (ERRORS[error.code].http >= 500) {
    failed?.(error);
    logger.error({ error: error.code, err: error }, 'request failed');
  } else logger.debug({ error: error.code }, 'request rejected');
  if (response.headersSent) response.destroy();
  else send(response, failureOf(error, requestId));
};

/** Serves the operations and the pages. A line in the log names the route, the operator and the outcome, and nothing about people. */
export const createListener =
  (serving: Serving): RequestListener =>
  (request, response) => {
    const started = performance.now();
    const requestId = requestIdFrom(request.headers['x-request-id']?.toString());
    const call = beginCall(requestId, undefined);
    const context: Context = { requestId, logger: createCallLogger(serving.logger, idsOf(call)), route: 'none' };
    response.setHeader('X-Request-Id', requestId);
    for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
    response.once('close', () => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const { operatorId, route } = context;
      const fields = { method: request.method ?? '', route, status: response.statusCode, ms };
      serving.metrics?.requestServed(fields.method, fields.route, fields.status, ms, undefined);
      context.logger.info({ ...fields, ...(operatorId === undefined ? {} : { operatorId }) }, 'request');
      call.end();
    });
    call.run(() => void serve(serving, request, response, context).catch((thrown: unknown) => fail(serving, thrown, response, context)));
  };
