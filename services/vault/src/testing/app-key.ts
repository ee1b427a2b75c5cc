import { CompactEncrypt, CompactSign, calculateJwkThumbprint, compactDecrypt, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';

/** The key pair of a cardholder's app, with what the app does with it: decrypt what the vault reveals, sign a new PIN. */
export const createAppKey = async () => {
  const { privateKey, publicKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  const jwk = await exportJWK(publicKey);
  const secretJwk = await exportJWK(privateKey);
  const signingKey = await importJWK(secretJwk, 'ES256');
  return {
    jwk,
    secretJwk,
    keyJson: JSON.stringify(jwk),
    thumbprint: await calculateJwkThumbprint(jwk),
    open: async (jwe: string): Promise<Record<string, unknown>> => {
      const { plaintext } = await compactDecrypt(jwe, privateKey);
      return JSON.parse(new TextDecoder().decode(plaintext)) as Record<string, unknown>;
    },
    sign: (content: object) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(content))).setProtectedHeader({ alg: 'ES256', jwk }).sign(signingKey),
  };
};

export type AppKey = Awaited<ReturnType<typeof createAppKey>>;

/** Encrypts a text to a public key, as apps and adapters do. */
export const sealTo = async (key: JWK, text: string, alg = 'ECDH-ES', enc = 'A256GCM'): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader({ alg, enc }).encrypt(await importJWK(key, alg));
