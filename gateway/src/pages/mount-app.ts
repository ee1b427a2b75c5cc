import { CodedError } from '@florin/rpc/errors';
import type { Express, Request, RequestHandler, Response } from 'express';
import { mountPath } from '../http/mount.ts';
import { type AppFile, type BuiltApp, CODINGS } from './built-app.ts';
import { fileHeaders, isDeepLink, pageHeaders } from './page-headers.ts';

const setHeaders = (response: Response, headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
};

/** The script that keeps the app for a start without a connection. The page is at /app itself, not only below it. */
const WORKER = 'sw.js';
const WORKER_POLICY = 'service-worker';

const sendFile = (request: Request, response: Response, path: string, file: AppFile): void => {
  setHeaders(response, fileHeaders(path, file.type));
  if (path === WORKER) setHeaders(response, { 'Service-Worker-Allowed': '/app', 'Cache-Control': 'no-cache' });
  response.vary('Accept-Encoding');
  const coding = CODINGS.find((name) => file[name] !== undefined && request.acceptsEncodings(name) === name);
  if (coding !== undefined) response.setHeader('Content-Encoding', coding);
  const content = (coding === undefined ? undefined : file[coding]) ?? file.plain;
  response.setHeader('Content-Length', content.length);
  response.end(content);
};

/** Facts that the platform tells the page, by the names of its `meta` elements. */
export type Told = {
  sandbox: boolean;
  /** URL of those who help. */
  support?: string | undefined;
  /** URL of the chain's explorer. */
  explorer?: string | undefined;
};

/** A text between double quotes. */
const toAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

const fillIn = (page: string, told: Told): string =>
  Object.entries(told).reduce(
    (text, [name, value]) =>
      value === undefined
        ? text
        : text.replace(
            new RegExp(`(<meta name="florin-${name}" content=")[^"]*`),
            (_match, start: string) => `${start}${toAttribute(String(value))}`,
          ),
    page,
  );

/**
 * Serves the cardholder's app at /app, from memory. Paths of the app's screens get the page, and are never kept by caches; files with a hash in their
 * names are kept for ever.
 */
export const mountApp = (app: Express, { page, files }: BuiltApp, told: Told): void => {
  const content = Buffer.from(fillIn(page, told));
  const serve: RequestHandler = (request, response) => {
    const path = request.path.slice('/app/'.length);
    const file = files.get(path);
    if (file !== undefined) {
      sendFile(request, response, path, file);
      return;
    }
    if (!isDeepLink(path)) throw new CodedError('NOT_FOUND');
    setHeaders(response, pageHeaders('', WORKER_POLICY));
    response.setHeader('Content-Length', content.length);
    response.end(content);
  };
  mountPath(app, '/app', { get: serve });
  mountPath(app, '/app/{*path}', { get: serve });
};
