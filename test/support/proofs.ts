import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { type ApiClient, withCall } from './api-client.ts';

/** A client's key for DPoP (RFC 9449). */
export type ProofKey = {
  alg: string;
  privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  jwk: JWK;
  privateJwk: JWK;
  jkt: string;
};

export const newProofKey = async (alg: 'ES256' | 'EdDSA' = 'ES256'): Promise<ProofKey> => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { alg, privateKey, jwk, privateJwk: await exportJWK(privateKey), jkt: await calculateJwkThumbprint(jwk) };
};

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

export type ProofOf = { method: string; url: string; now: Date; token?: string | undefined };

/** Signs a proof for one request. @param changed replaces claims, and members of the header */
export const signProof = (
  { alg, privateKey, jwk }: ProofKey,
  { method, url, now, token }: ProofOf,
  changed: { claims?: object; header?: object } = {},
): Promise<string> =>
  new SignJWT({
    htm: method,
    htu: url,
    iat: Math.floor(now.getTime() / 1000),
    jti: randomUUID(),
    ...(token === undefined ? {} : { ath: hashOf(token) }),
    ...changed.claims,
  })
    .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk, ...changed.header })
    .sign(privateKey);

/** A client that proves possession of its key with each request, and sends tokens with the scheme DPoP. */
export const withProofs = (api: ApiClient, key: ProofKey, { publicUrl, now }: { publicUrl: string; now: () => Date }): ApiClient =>
  withCall(async (method, path, { token, headers, ...options } = {}) => {
    const url = publicUrl + path.replace(/\?.*/, '');
    const dpop = await signProof(key, { method, url, now: now(), token });
    const authorization = token === undefined ? {} : { authorization: `DPoP ${token}` };
    return api.request(method, path, { ...options, headers: { ...authorization, dpop, ...headers } });
  });
