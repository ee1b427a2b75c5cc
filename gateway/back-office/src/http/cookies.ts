import { readCookie } from '@florin/gateway/read-cookie';

/** The characters of values that are put into cookies here. */
const VALUE = /^[\w.~-]{0,1024}$/;

/** @returns the value of a cookie; undefined without one, with several, and for one that is not from here */
export const readOwnCookie = (header: string | undefined, name: string): string | undefined => {
  const value = readCookie(header, name);
  return value !== undefined && VALUE.test(value) ? value : undefined;
};

export type CookieKind = {
  name: string;
  /** `Set-Cookie` with a value; an empty one with age 0 removes the cookie. */
  set: (value: string, maxAgeSeconds: number) => string;
};

/**
 * A cookie that no script reads. Browsers take a name with the prefix `__Host-` over https only, and from this host only; on `localhost` it has none, because
 * not every browser keeps a Secure cookie there.
 */
export const createCookie = (origin: string, name: string, sameSite: 'Strict' | 'Lax'): CookieKind => {
  const isSecure = origin.startsWith('https:');
  const fullName = isSecure ? `__Host-${name}` : name;
  return {
    name: fullName,
    set: (value, maxAgeSeconds) => {
      if (!VALUE.test(value)) throw new Error('the value cannot be kept in a cookie');
      const attributes = ['Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', `SameSite=${sameSite}`, ...(isSecure ? ['Secure'] : [])];
      return [`${fullName}=${value}`, ...attributes].join('; ');
    },
  };
};
