import { createHash, hkdfSync } from 'node:crypto';
import { CodedError } from '@florin/rpc/errors';
import { uuidV8 } from '@florin/rpc/runtime';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/**
 * Reads the Idempotency-Key header.
 * @throws CodedError VALIDATION_FAILED unless it is 1 to 255 printable ASCII characters
 */
export const readIdempotencyKey = (value: string | undefined): string | undefined => {
  if (value === undefined || PRINTABLE.test(value)) return value;
  throw new CodedError('VALIDATION_FAILED', { message: 'Idempotency-Key: must be 1 to 255 printable ASCII characters' });
};

/** Whose key it is, and for what: the same key of somebody else, or for another operation, is another key. */
export type KeyScope = { subject: string; operationId: string };

export type DerivedKeys = {
  /** Name of the record in Redis; tells neither key nor person. */
  recordName: string;
  /** UUID v8 that services know the request by. */
  requestKey: string;
  /** 32 bytes for AES-256-GCM. */
  sealKey: Buffer;
  /** 32 bytes for HMAC-SHA-256. */
  hashKey: Buffer;
};

const sha256 = (purpose: string, parts: readonly string[]): Buffer =>
  // JSON separates the parts, so that no part can reach into its neighbour.
  createHash('sha256')
    .update(JSON.stringify([purpose, ...parts]))
    .digest();

/**
 * Everything that follows from a client's Idempotency-Key. The keys that seal the stored answer come (HKDF, RFC 5869) from the raw key,
 * which is stored nowhere: whoever reads Redis finds answers that hold access tokens, but cannot open them. That is as strong as
 * the client's key is hard to guess; a UUID, which is what clients send, is.
 */
export const deriveKeys = (idempotencyKey: string, { subject, operationId }: KeyScope): DerivedKeys => {
  const parts = [subject, operationId, idempotencyKey];
  const material = Buffer.from(hkdfSync('sha256', idempotencyKey, 'florin-gateway', JSON.stringify([subject, operationId]), 64));
  return {
    recordName: `florin:gateway:idempotency:${sha256('record', parts).toString('base64url')}`,
    requestKey: uuidV8(sha256('request', parts)),
    sealKey: material.subarray(0, 32),
    hashKey: material.subarray(32),
  };
};
