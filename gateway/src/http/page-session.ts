import { CodedError } from '@florin/rpc/errors';
import type { Request, Response } from 'express';

/** Where the endpoints of the session are, and the only place that browsers send the cookie to. */
export const PAGE_SESSION_PATH = '/app/session';

/** Pages of other origins cannot send it: browsers ask first (Fetch, section 4.8), and the answer does not allow it. */
const OWN_HEADER = 'x-florin-app';

/** As long as a refresh token is valid. */
const MAX_AGE_SECONDS = 7 * 86_400;

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** The characters of refresh tokens. Nothing else can be one, or is put into a header. */
const TOKEN = /^[\w.~-]{1,512}$/;

/** The session of a page of this gateway's own origin, which its scripts cannot read. */
export type PageSession = {
  /** The refresh token of the cookie, empty without one. */
  refreshToken: string;
  /** Keeps the next refresh token in the cookie. */
  keep: (refreshToken: string) => void;
  /** Removes the cookie. */
  clear: () => void;
};

/** Opens the session of the page that sent a request. @throws CodedError FORBIDDEN unless it is a page of this gateway's own origin */
export type OpenPageSession = (request: Request, response: Response) => PageSession;

const isLoopback = (request: Request): boolean => request.protocol === 'http' && LOOPBACK.test(request.get('host') ?? '');

/** Values of a cookie. More than one means that another host of the site has set it, too. */
const valuesOf = (name: string, header = ''): string[] =>
  header
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));

const ownOrigins = (request: Request, urls: readonly string[] | undefined): string[] => {
  if (urls !== undefined) return urls.map((url) => new URL(url).origin);
  const host = request.get('host') ?? '';
  // The second one where a proxy that this gateway does not trust ends TLS.
  return [`${request.protocol}://${host}`, `https://${host}`];
};

const isOwnPage = (request: Request, urls: readonly string[] | undefined): boolean => {
  const site = request.get('sec-fetch-site');
  if (request.get(OWN_HEADER) !== '1' || (site !== undefined && site !== 'same-origin')) return false;
  return ownOrigins(request, urls).includes(request.get('origin') ?? '');
};

/**
 * Creates what opens sessions of pages. The cookie is HttpOnly, SameSite=Strict and Secure, except on this machine over http, where not every browser
 * keeps a Secure one. A request needs the page's origin and a header of its own besides, because other ports of a host share its cookies, and other hosts
 * of a site count as the same site.
 * @param urls the URLs of the gateway as clients use them; without them the Host header counts
 */
export const createPageSessions =
  (urls: readonly string[] | undefined): OpenPageSession =>
  (request, response) => {
    if (!isOwnPage(request, urls)) throw new CodedError('FORBIDDEN', { message: 'the request is not one of a page of this origin' });
    const local = isLoopback(request);
    const name = local ? 'florin-session' : '__Secure-florin-session';
    const set = (value: string, maxAge: number): void => {
      const attributes = [`Path=${PAGE_SESSION_PATH}`, `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Strict', ...(local ? [] : ['Secure'])];
      response.setHeader('Set-Cookie', [`${name}=${value}`, ...attributes].join('; '));
    };
    const [token = '', ...others] = valuesOf(name, request.get('cookie'));
    return {
      refreshToken: others.length === 0 && TOKEN.test(token) ? token : '',
      keep: (refreshToken) => {
        if (!TOKEN.test(refreshToken)) throw new Error('the refresh token cannot be kept in a cookie');
        set(refreshToken, MAX_AGE_SECONDS);
      },
      clear: () => set('', 0),
    };
  };
