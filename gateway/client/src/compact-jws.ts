import { encodeText, toBase64url } from './base64url.ts';
import { type KeyPair, sign } from './elliptic-keys.ts';

/** Signs content as a compact JWS (RFC 7515) with ES256, whose header has the public key. */
export const signJws = async ({ privateKey, publicJwk }: KeyPair, header: Record<string, string>, content: object): Promise<string> => {
  const parts = [{ ...header, alg: 'ES256', jwk: publicJwk }, content];
  const signed = parts.map((part) => toBase64url(encodeText(JSON.stringify(part)))).join('.');
  return `${signed}.${toBase64url(await sign(privateKey, encodeText(signed)))}`;
};
