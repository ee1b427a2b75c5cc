declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  /** Decrypts a message of Web Push (RFC 8291). */
  export const decrypt: (content: Buffer, options: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string }) => Buffer;
}
