import { CompactEncrypt, compactDecrypt } from 'jose';

/** Encrypts small texts at rest. */
export type Sealer = {
  /** @param context where the text belongs; it opens nowhere else */
  seal: (text: string, context: string) => Promise<string>;
  /** @throws when key or context differ, or the text was changed */
  open: (sealed: string, context: string) => Promise<string>;
};

/** Compact JWE (RFC 7516), direct use of a 256-bit key with AES-GCM. The context is part of the authenticated header. */
export const createSealer = (key: Uint8Array): Sealer => ({
  seal: (text, context) =>
    new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', context }).encrypt(key),
  open: async (sealed, context) => {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    if (protectedHeader['context'] !== context) throw new Error('sealed for another context');
    return new TextDecoder().decode(plaintext);
  },
});
