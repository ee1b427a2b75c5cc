/** SubjectPublicKeyInfo of an Ed25519 key before its 32 bytes (RFC 8410), in base64 up to the bits that it shares with the key. */
const SPKI = 'MCowBQYDK2VwAyEA';
const X = /^[\w-]{43}$/;

const xOfJwk = (text: string): string | undefined => {
  try {
    const { kty, crv, x, d } = JSON.parse(text) as Record<string, unknown>;
    // Half of a private key must not be typed here: nothing of it is sent.
    return kty === 'OKP' && crv === 'Ed25519' && d === undefined && typeof x === 'string' ? x : undefined;
  } catch {
    return undefined;
  }
};

/** The public half of an Ed25519 key, base64url, of what people paste: PEM, a JWK, or the `x` of it. Undefined for everything else. */
export const publicKeyOf = (typed: string): string | undefined => {
  const text = typed.trim();
  const pem = /^-----BEGIN PUBLIC KEY-----([\s\S]*)-----END PUBLIC KEY-----$/.exec(text)?.[1]?.replace(/\s/g, '');
  const base64 = pem?.startsWith(SPKI) === true ? pem.slice(SPKI.length).replace(/=$/, '') : undefined;
  const x = base64?.replaceAll('+', '-').replaceAll('/', '_') ?? xOfJwk(text) ?? text;
  return X.test(x) ? x : undefined;
};
