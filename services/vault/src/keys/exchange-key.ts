import { CodedError } from '@florin/rpc/errors';
import { compactDecrypt, importJWK, type JWK } from 'jose';

/** Longest message to the vault, in characters: a signed PIN in a JWE has about 700. */
const MAX_LENGTH = 4096;

export type ExchangeKey = {
  /** Thumbprint of the key (RFC 7638). */
  kid: string;
  /** The public key, as it is published. */
  published: JWK;
  /**
   * Decrypts a message to the vault.
   * @throws CodedError SEALED_MESSAGE_INVALID unless it is a compact JWE (ECDH-ES, A256GCM) to this key
   */
  open: (jwe: string) => Promise<string>;
};

/** @param jwk private P-256 key with `kid` */
export const createExchangeKey = async (jwk: JWK): Promise<ExchangeKey> => {
  const privateKey = await importJWK(jwk, 'ECDH-ES');
  const { kty, crv, x, y, kid = '' } = jwk;
  return {
    kid,
    published: { kty, crv, x, y, kid, use: 'enc', alg: 'ECDH-ES' } as JWK,
    open: async (jwe) => {
      try {
        if (jwe.length > MAX_LENGTH) throw new Error('the message is too long');
        const { plaintext } = await compactDecrypt(jwe, privateKey, {
          keyManagementAlgorithms: ['ECDH-ES'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        return new TextDecoder('utf-8', { fatal: true }).decode(plaintext);
      } catch (error) {
        throw new CodedError('SEALED_MESSAGE_INVALID', { metadata: { field: 'jwe' }, cause: error });
      }
    },
  };
};
