import { CodedError } from '@florin/rpc/errors';
import type { Express, Request, RequestHandler, Response } from 'express';
import { mountPath } from '../http/mount.ts';
import type { AppFile, BuiltApp } from './built-app.ts';

/** Everything comes from this origin, nothing is written into the page, and no script may turn text into markup or code. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** What the app does not use, no script in it may use. */
const PERMISSIONS = 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()';

/** The names of these files have the hash of their content. */
const HASHED = 'assets/';
const FOREVER = 'public, max-age=31536000, immutable';
const AN_HOUR = 'public, max-age=3600';

const CODINGS = ['br', 'gzip'] as const;

const setHeaders = (response: Response, type: string, caching: string): void => {
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', caching);
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Permissions-Policy', PERMISSIONS);
};

const sendFile = (request: Request, response: Response, path: string, file: AppFile): void => {
  setHeaders(response, file.type, path.startsWith(HASHED) ? FOREVER : AN_HOUR);
  response.vary('Accept-Encoding');
  const coding = CODINGS.find((name) => file[name] !== undefined && request.acceptsEncodings(name) === name);
  if (coding !== undefined) response.setHeader('Content-Encoding', coding);
  const content = (coding === undefined ? undefined : file[coding]) ?? file.plain;
  response.setHeader('Content-Length', content.length);
  response.end(content);
};

/** Tells the page about its platform. */
const fillIn = (page: string, sandbox: boolean): string =>
  page.replace(/(<meta name="florin-sandbox" content=")[^"]*/, (_match, start: string) => `${start}${sandbox}`);

/** Whether a path may be one of the app's own, which the page itself resolves: names of files have a dot. */
const isDeepLink = (path: string): boolean => !path.startsWith(HASHED) && !/\.[^/]*$/.test(path);

/**
 * Serves the cardholder's app at /app, from memory. Paths of the app's screens get the page, and are never kept by caches; files with a hash in their
 * names are kept for ever.
 */
export const mountApp = (app: Express, { page, files }: BuiltApp, { sandbox }: { sandbox: boolean }): void => {
  const content = Buffer.from(fillIn(page, sandbox));
  const serve: RequestHandler = (request, response) => {
    const path = request.path.slice('/app/'.length);
    const file = files.get(path);
    if (file !== undefined) {
      sendFile(request, response, path, file);
      return;
    }
    if (!isDeepLink(path)) throw new CodedError('NOT_FOUND');
    setHeaders(response, 'text/html; charset=utf-8', 'no-store');
    response.setHeader('Content-Length', content.length);
    response.end(content);
  };
  mountPath(app, '/app', { get: serve });
  mountPath(app, '/app/{*path}', { get: serve });
};
