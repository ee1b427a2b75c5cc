/** Everything comes from this origin, nothing is written into the page, and no script may turn text into markup or code. */
const policy = (trustedTypes: string): string =>
  [
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
    `trusted-types ${trustedTypes}`,
  ].join('; ');

/** Scripts may not use the features that pages do not use. */
const PERMISSIONS = 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()';

/** The names of these files have the hash of their content. */
const HASHED = 'assets/';
const FOREVER = 'public, max-age=31536000, immutable';
const AN_HOUR = 'public, max-age=3600';

const headers = (type: string, caching: string, permissions: string, trustedTypes = "'none'"): Record<string, string> => ({
  'Content-Type': type,
  'Cache-Control': caching,
  'Content-Security-Policy': policy(trustedTypes),
  'Permissions-Policy': permissions === '' ? PERMISSIONS : `${PERMISSIONS}, ${permissions}`,
});

/**
 * Headers of a file of a built app. Files with a hash in their names are kept for ever, others for an hour.
 * @param path below the root of the app
 * @param permissions what its scripts may use besides, as a part of Permissions-Policy
 */
export const fileHeaders = (path: string, type: string, permissions = ''): Record<string, string> =>
  headers(type, path.startsWith(HASHED) ? FOREVER : AN_HOUR, permissions);

/**
 * Headers of the page itself, which no cache keeps.
 * @param trustedTypes names of the policies by which its scripts may make URLs of scripts
 */
export const pageHeaders = (permissions = '', trustedTypes?: string): Record<string, string> =>
  headers('text/html; charset=utf-8', 'no-store', permissions, trustedTypes);

/**
 * Reports whether a path may be one of the page's own, which the page itself resolves: names of files have a dot.
 * @param path below the root of the app
 */
export const isDeepLink = (path: string): boolean => !path.startsWith(HASHED) && !/\.[^/]*$/.test(path);
