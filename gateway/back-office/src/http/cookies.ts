/** The characters of values that are put into cookies here. */
const VALUE = /^[\w.~-]{0,1024}$/;

/** @returns the value of a cookie; undefined without one, and with several: somebody else has set another one */
export const readCookie = (header: string | undefined, name: string): string | undefined => {
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  return values.length === 1 && VALUE.test(values[0] ?? '') ? values[0] : undefined;
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
