import { hash, hkdfSync } from 'node:crypto';
import { CodedError } from '@florin/rpc/errors';
import { derivedId } from '@florin/rpc/runtime';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/**
 * Reads the Idempotency-Key header.
 * @throws CodedError VALIDATION_FAILED unless it is 1 to 255 printable ASCII characters
 */
export const readIdempotencyKey = (value: string | undefined): string | undefined => {
  if (value === undefined || PRINTABLE.test(value)) return value;
  throw new CodedError('VALIDATION_FAILED', { message: 'Idempotency-Key: must be 1 to 255 printable ASCII characters' });
};

/** The owner and the operation of a key. Equal keys of different callers or operations are different keys. */
export type KeyScope = { subject: string; operationId: string };

export type DerivedKeys = {
  /** Name of the record in Redis; reveals neither the key nor the caller. */
  recordName: string;
  /** Name of the counter of the caller's records. */
  counterName: string;
  /** UUID v8 that identifies the request to services. */
  requestKey: string;
  /** 32 bytes for AES-256-GCM. */
  sealKey: Buffer;
  /** 32 bytes for HMAC-SHA-256. */
  hashKey: Buffer;
};

/** JSON delimits the parts, so that different parts cannot produce the same text. */
const keyed = (purpose: string, parts: readonly string[]): string => JSON.stringify([purpose, ...parts]);

/**
 * Derives all identifiers and keys of an Idempotency-Key. The keys that seal the stored response are derived (HKDF, RFC 5869) from
 * the raw key, which is not stored: someone who reads Redis cannot open the stored responses, which may contain access tokens. This is
 * as strong as the client's key is hard to guess; a UUID is strong enough.
 */
export const deriveKeys = (idempotencyKey: string, { subject, operationId }: KeyScope): DerivedKeys => {
  const parts = [subject, operationId, idempotencyKey];
  const material = Buffer.from(hkdfSync('sha256', idempotencyKey, 'florin-gateway', JSON.stringify([subject, operationId]), 64));
  return {
    recordName: `florin:gateway:idempotency:${hash('sha256', keyed('record', parts), 'base64url')}`,
    counterName: `florin:gateway:idempotency-count:${hash('sha256', keyed('count', [subject]), 'base64url')}`,
    requestKey: derivedId(keyed('request', parts)),
    sealKey: material.subarray(0, 32),
    hashKey: material.subarray(32),
  };
};
