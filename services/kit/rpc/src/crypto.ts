import { CompactEncrypt, compactDecrypt } from 'jose';

/** Encrypts short texts for storage. */
export type Sealer = {
  /** @param context names the place that the text belongs to, for example a record's key; it is authenticated, not encrypted */
  seal: (text: string, context: string) => Promise<string>;
  /** @throws Error when the key or the context differs, or the sealed text was changed */
  open: (sealed: string, context: string) => Promise<string>;
};

/** Compact JWE (RFC 7516): direct encryption with a 256-bit key, AES-GCM. The context is part of the authenticated header. */
export const createSealer = (key: Uint8Array): Sealer => ({
  seal: (text, context) =>
    new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', context }).encrypt(key),
  open: async (sealed, context) => {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    if (protectedHeader['context'] !== context) throw new Error('the text was sealed for another context');
    return new TextDecoder().decode(plaintext);
  },
});
