import { CodedError } from '@florin/rpc/errors';
import type { Express, RequestHandler } from 'express';
import type { Registry } from './registry.ts';
import { serveRoute } from './serve-route.ts';
import type { Serving } from './serving.ts';

/** The request headers that a web app may send. */
const ALLOWED_HEADERS = ['Accept', 'Authorization', 'Content-Type', 'DPoP', 'Idempotency-Key', 'Last-Event-ID', 'X-Request-Id'].join(', ');

/** How long browsers may keep the answer to a preflight request, in seconds. Chromium's maximum. */
const PREFLIGHT_SECONDS = '7200';

/** Converts /a/{b} to express's /a/:b. */
const expressPath = (path: string): string => path.replace(/\{([^}]+)\}/g, ':$1');

const listOf = (methods: readonly string[]): string =>
  methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ');

/** Rejects a method that the path does not support, with the Allow header (RFC 9110, section 15.5.6). */
const refuseMethod =
  (methods: readonly string[]): RequestHandler =>
  (_request, response) => {
    response.setHeader('Allow', listOf(methods));
    throw new CodedError('METHOD_NOT_ALLOWED');
  };

/** Answers a preflight request (Fetch, section 4.8) of an origin that the CORS middleware has allowed. */
const answerPreflight =
  (methods: readonly string[]): RequestHandler =>
  (request, response, next) => {
    if (request.get('access-control-request-method') === undefined || !response.hasHeader('Access-Control-Allow-Origin')) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Methods', listOf(methods));
    response.setHeader('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.statusCode = 204;
    response.end();
  };

/** Mounts the handlers of a path by method; other methods are rejected. */
export const mountPath = (app: Express, path: string, handlers: Readonly<Record<string, RequestHandler>>): void => {
  const methods = Object.keys(handlers);
  const mounted = app.route(path);
  for (const [method, handler] of Object.entries(handlers)) mounted[method as 'get'](handler);
  mounted.options(answerPreflight(methods)).all(refuseMethod(methods));
};

export const mountRoutes = (app: Express, { byPath }: Registry, serving: Serving): void => {
  for (const [path, routes] of byPath) {
    mountPath(app, expressPath(path), Object.fromEntries(routes.map((route) => [route.method, serveRoute(route, serving)])));
  }
};

/** Sends readers on from a path with a slash at its end to the path without it. Other paths that nothing is mounted at do not exist. */
export const refuseUnknown: RequestHandler = (request, response) => {
  const { pathname, search } = new URL(request.originalUrl, 'http://localhost');
  const last = /([^/]+)\/+$/.exec(pathname)?.[1];
  if (last === undefined || !['GET', 'HEAD'].includes(request.method))
    throw new CodedError('NOT_FOUND', { metadata: { reason: 'no operation has this path' } });
  // Relative, so that it works behind a path prefix.
  response.redirect(308, `../${last}${search}`);
};
