import { CodedError } from '@florin/rpc/errors';
import type { Express, RequestHandler } from 'express';
import type { Registry } from './registry.ts';
import { serveRoute } from './serve-route.ts';
import type { Serving } from './serving.ts';

/** Converts /a/{b} to express's /a/:b. */
const expressPath = (path: string): string => path.replace(/\{([^}]+)\}/g, ':$1');

/** Rejects a method that the path does not support, with the Allow header (RFC 9110, section 15.5.6). */
export const refuseMethod =
  (methods: readonly string[]): RequestHandler =>
  (_request, response) => {
    response.setHeader('Allow', methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', '));
    throw new CodedError('METHOD_NOT_ALLOWED');
  };

export const mountRoutes = (app: Express, { byPath }: Registry, serving: Serving): void => {
  for (const [path, routes] of byPath) {
    const mounted = app.route(expressPath(path));
    for (const route of routes) mounted[route.method](serveRoute(route, serving));
    mounted.all(refuseMethod(routes.map(({ method }) => method)));
  }
};

export const refuseUnknown: RequestHandler = () => {
  throw new CodedError('NOT_FOUND');
};
