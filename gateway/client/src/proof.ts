import { sha256 } from './base64url.ts';
import { signJws } from './compact-jws.ts';
import { createKeyPair, type KeyPair } from './elliptic-keys.ts';
import { randomId } from './random-id.ts';

/** A client's key for tokens that are bound to it (DPoP, RFC 9449). Keep it with the tokens, for example in IndexedDB. */
export type ProofKey = KeyPair;

/** Creates a key whose private part cannot be read, not even by this program. */
export const createProofKey = (): Promise<ProofKey> => createKeyPair('ECDSA');

/** Signs a proof for one attempt of a request. @param token undefined if the request carries none */
export const signProof = async (
  key: ProofKey,
  { method, url, token, now }: { method: string; url: string; token: string | undefined; now: number },
): Promise<string> =>
  signJws(
    key,
    { typ: 'dpop+jwt' },
    {
      htm: method,
      htu: url.replace(/[?#].*/, ''),
      iat: Math.floor(now / 1000),
      jti: randomId(),
      ...(token === undefined ? {} : { ath: await sha256(token) }),
    },
  );
