import { randomId } from './random-id.ts';

/** The type has other names in browsers and in Node. */
type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A client's key for tokens that are bound to it (DPoP, RFC 9449). Keep it with the tokens, for example in IndexedDB. */
export type ProofKey = { privateKey: PrivateKey; publicJwk: { kty: string; crv: string; x: string; y: string } };

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** Creates a key whose private part cannot be read, not even by this program. */
export const createProofKey = async (): Promise<ProofKey> => {
  const { privateKey, publicKey } = (await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])) as Record<
    'privateKey' | 'publicKey',
    PrivateKey
  >;
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  return { privateKey, publicJwk: { kty: 'EC', crv: 'P-256', x, y } };
};

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const sha256 = async (text: string): Promise<string> => base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', encode(text))));

/** Signs a proof for one attempt of a request. @param token undefined if the request carries none */
export const signProof = async (
  { privateKey, publicJwk }: ProofKey,
  { method, url, token, now }: { method: string; url: string; token: string | undefined; now: number },
): Promise<string> => {
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: publicJwk };
  const claims = {
    htm: method,
    htu: url.replace(/[?#].*/, ''),
    iat: Math.floor(now / 1000),
    jti: randomId(),
    ...(token === undefined ? {} : { ath: await sha256(token) }),
  };
  const signed = [header, claims].map((part) => base64url(encode(JSON.stringify(part)))).join('.');
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, encode(signed));
  return `${signed}.${base64url(new Uint8Array(signature))}`;
};
