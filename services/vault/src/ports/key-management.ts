import type { Wrapped } from '../domain/card.ts';

/**
 * Port to the system that holds the key-encryption keys (PCI DSS 3.6, 3.7): an HSM or a cloud's KMS in production, a file elsewhere.
 *
 * The shape is that of AWS KMS, Google Cloud KMS and HashiCorp Vault Transit: `wrap` is Encrypt with the key's id and the context as
 * additional authenticated data (AWS calls it the encryption context), `unwrap` is Decrypt, and the key never leaves the system. An adapter
 * for AWS sends `{KeyId, Plaintext, EncryptionContext: {purpose: context}}` and stores `CiphertextBlob` in base64 with the ARN of the key as
 * `keyId`; rotation means configuring another `KeyId`.
 */
export type KeyManagement = {
  /** Id of the key that new secrets are wrapped with. */
  currentKeyId: string;
  /** Ids of all keys that can unwrap, the current one first. */
  keyIds: readonly string[];
  /**
   * Encrypts a secret of at most 4 KiB with the current key.
   * @param context names what the secret is for; it must be the same to unwrap
   */
  wrap: (secret: Uint8Array, context: string) => Promise<Wrapped>;
  /** @throws Error when the key is unknown or unreachable, the context differs, or the wrapped bytes were changed */
  unwrap: (wrapped: Wrapped, context: string) => Promise<Uint8Array>;
};
