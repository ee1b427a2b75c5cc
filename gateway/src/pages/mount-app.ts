import { CodedError } from '@florin/rpc/errors';
import type { Express, Request, RequestHandler, Response } from 'express';
import { mountPath } from '../http/mount.ts';
import { type AppFile, type BuiltApp, CODINGS } from './built-app.ts';
import { fileHeaders, isDeepLink, pageHeaders } from './page-headers.ts';

const setHeaders = (response: Response, headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
};

const sendFile = (request: Request, response: Response, path: string, file: AppFile): void => {
  setHeaders(response, fileHeaders(path, file.type));
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
    setHeaders(response, pageHeaders());
    response.setHeader('Content-Length', content.length);
    response.end(content);
  };
  mountPath(app, '/app', { get: serve });
  mountPath(app, '/app/{*path}', { get: serve });
};
