import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Runtime } from '@florin/rpc/runtime';
import { type SiweFields, writeSiweMessage } from '../domain/siwe-message.ts';

const HALF_BYTES = 16;

/** The line of the nonce: 128 random bits, then the proof of origin. EIP-4361 allows letters and digits. */
const NONCE_LINE = /\nNonce: (?<random>[0-9a-f]{32})(?<proof>[0-9a-f]{32})\n/;

/** Where a presented message comes from; `foreign` when its nonce is not of the form that identity writes. */
export type Origin = 'genuine' | 'forged' | 'foreign';

/** Messages to sign (EIP-4361). Nothing is stored for one until it is used, so strangers fill no database, and no database decides what a message allows. */
export type SiweMessages = {
  issue: (fields: Omit<SiweFields, 'nonce' | 'issuedAt'>) => { message: string; expiresAt: Date };
  originOf: (message: string) => Origin;
};

/**
 * The second half of a nonce is a keyed hash (HMAC-SHA-256, 128 bits) of the message with the first half as its nonce: a message that differs from
 * an issued one in any byte is not genuine, however two parsers read it.
 * @param keys the first one proves, all of them verify
 */
export const createSiweMessages = ({
  keys,
  runtime,
}: {
  keys: readonly [Uint8Array, ...Uint8Array[]];
  runtime: Pick<Runtime, 'now' | 'randomBytes'>;
}): SiweMessages => {
  const proofOf = (text: string, key: Uint8Array): Buffer => createHmac('sha256', key).update(text).digest().subarray(0, HALF_BYTES);
  return {
    issue: (given) => {
      const random = Buffer.from(runtime.randomBytes(HALF_BYTES)).toString('hex');
      const fields = { ...given, issuedAt: runtime.now() };
      const proof = proofOf(writeSiweMessage({ ...fields, nonce: random }).message, keys[0]).toString('hex');
      return writeSiweMessage({ ...fields, nonce: random + proof });
    },
    originOf: (message) => {
      const { random = '', proof = '' } = NONCE_LINE.exec(message)?.groups ?? {};
      if (proof === '') return 'foreign';
      const unproven = message.replace(NONCE_LINE, `\nNonce: ${random}\n`);
      const presented = Buffer.from(proof, 'hex');
      return keys.some((key) => timingSafeEqual(proofOf(unproven, key), presented)) ? 'genuine' : 'forged';
    },
  };
};
