import { hkdfSync } from 'node:crypto';

/** The key of the hashes of requests in the audit log, derived from the process's own key (HKDF, RFC 5869). */
export const requestHashKey = ({ d }: { d: string }): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', Buffer.from(d, 'base64url'), new Uint8Array(), 'florin-back-office/request-hash/v1', 32));
