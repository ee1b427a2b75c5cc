import type { RequestHandler } from 'express';

/** Hosts of the developer's own machine, with any port. Browsers treat their http pages as secure contexts. */
const LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

const ORIGIN = /^(https?):\/\/([^/?#@\s]{1,255})$/;

const EXPOSED = [
  'Content-Disposition',
  'Idempotency-Replayed',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** Reports whether an origin may read responses: those of the partners' sign-in domains, and in a sandbox every port of the local machine. */
export const isPartnerOrigin = (origin: string, partners: readonly { domains: readonly string[] }[], sandbox: boolean): boolean => {
  const [, scheme, host = ''] = ORIGIN.exec(origin) ?? [];
  if (scheme === undefined) return false;
  const isLocal = LOCAL.test(host);
  const isKnown = partners.some(({ domains }) => domains.includes(host)) || (sandbox && isLocal);
  // Outside a sandbox, http is accepted only where the network cannot change the page.
  return isKnown && (scheme === 'https' || isLocal || sandbox);
};

/**
 * Lets the web apps of partners read responses (Fetch, section 3.2). Credentials are bearer tokens in a header, so cookies are never
 * allowed. Preflight requests are answered where the methods of a path are known (`http/mount.ts`).
 */
export const createCors =
  ({ PARTNERS, SANDBOX }: { PARTNERS: readonly { domains: readonly string[] }[]; SANDBOX: boolean }): RequestHandler =>
  (request, response, next) => {
    response.setHeader('Vary', 'Origin');
    const origin = request.get('origin');
    if (origin !== undefined && isPartnerOrigin(origin, PARTNERS, SANDBOX)) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    }
    next();
  };
