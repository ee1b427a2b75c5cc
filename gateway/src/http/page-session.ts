import { CodedError } from '@florin/rpc/errors';
import type { Request, Response } from 'express';
import { readCookie } from './read-cookie.ts';

/** Where the endpoints of the session are. */
export const PAGE_SESSION_PATH = '/app/session';

/** Pages of other origins cannot send it: browsers ask first (Fetch, section 4.8), and the answer does not allow it. */
const OWN_HEADER = 'x-florin-app';

/** As long as a refresh token is valid. */
const MAX_AGE_SECONDS = 7 * 86_400;

/** Origins of pages on this machine. */
const LOCAL_PAGE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Browsers take a cookie with this prefix from this host only, and over https only: no other host of the site can put its own session there. */
const COOKIE = { name: '__Host-florin-session', attributes: ['Path=/', 'Secure'] } as const;

/** On this machine over http, where not every browser keeps a Secure cookie. */
const LOCAL_COOKIE = { name: 'florin-session', attributes: [`Path=${PAGE_SESSION_PATH}`] } as const;

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
 * Creates what opens sessions of pages. The cookie is HttpOnly and SameSite=Strict. A request needs the page's origin and a header of its own besides,
 * because other ports of a host share its cookies, and other hosts of a site count as the same site.
 * @param urls the URLs of the gateway as clients use them; without them the Host header counts
 */
export const createPageSessions =
  (urls: readonly string[] | undefined): OpenPageSession =>
  (request, response) => {
    if (!isOwnPage(request, urls)) throw new CodedError('FORBIDDEN', { message: 'the request is not one of a page of this origin' });
    // The page's own address decides: a proxy may name this machine as the host, and speak http to it.
    const { name, attributes } = LOCAL_PAGE.test(request.get('origin') ?? '') ? LOCAL_COOKIE : COOKIE;
    const set = (value: string, maxAge: number): void => {
      response.setHeader('Set-Cookie', [`${name}=${value}`, ...attributes, `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Strict'].join('; '));
    };
    const token = readCookie(request.get('cookie'), name) ?? '';
    return {
      refreshToken: TOKEN.test(token) ? token : '',
      keep: (refreshToken) => {
        if (!TOKEN.test(refreshToken)) throw new Error('the refresh token cannot be kept in a cookie');
        set(refreshToken, MAX_AGE_SECONDS);
      },
      clear: () => set('', 0),
    };
  };
