import { createHmac, type KeyObject, sign } from 'node:crypto';
import { CodedError } from '@florin/rpc/errors';

/** Prefix of secrets (Standard Webhooks). */
const PREFIX = 'whsec_';

const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** Bytes of a secret that the platform makes. */
export const SECRET_BYTES = 32;

export const formatSecret = (bytes: Uint8Array): string => `${PREFIX}${Buffer.from(bytes).toString('base64')}`;

/**
 * Reads a secret: `whsec_` and base64 of 24 to 64 bytes.
 * @throws CodedError WEBHOOK_SECRET_INVALID
 */
export const parseSecret = (text: string): Uint8Array => {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  // Decoding skips what is not base64; only the one spelling of the bytes is accepted.
  if (bytes.toString('base64') === encoded && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES) return new Uint8Array(bytes);
  throw new CodedError('WEBHOOK_SECRET_INVALID', {
    message: `secret: must be ${PREFIX} and base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes`,
  });
};

/** The keys that sign a delivery: the secrets of the endpoint, the newest first, and the platform's own key. */
export type Signers = { secrets: readonly Uint8Array[]; key: KeyObject };

export type Signable = {
  id: string;
  /** Unix time in seconds. */
  timestamp: number;
  body: string;
};

/**
 * The `webhook-signature` of a delivery (Standard Webhooks): `v1` by each secret (HMAC-SHA-256), and `v1a` by the platform's key (Ed25519), over
 * `<id>.<timestamp>.<body>`. The key is the same for all endpoints; the body names the one.
 */
export const signatureOf = ({ secrets, key }: Signers, { id, timestamp, body }: Signable): string => {
  const content = Buffer.from(`${id}.${timestamp}.${body}`);
  const symmetric = secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`);
  return [...symmetric, `v1a,${sign(null, content, key).toString('base64')}`].join(' ');
};
