import { canonicalSignature, hasSignatureShape } from './canonical-signature.ts';

/** Values of v in a single owner's signature of a Safe: 1 is approved on chain, 27 and 28 sign the hash, 31 and 32 the hash as a personal message. */
const APPROVED_V = 1;
const SIGNED_V = [27, 28, 31, 32];

const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;
const MIN_BYTES = 65;

/**
 * Parses a signature to be checked by a contract (EIP-1271). A single owner's 65 bytes must be canonical like a plain wallet's, so that
 * no signature has two accepted forms; the contract alone interprets longer signatures.
 * @returns the signature in lower case; undefined unless it is hex of 65 to `maxBytes` bytes in a form that a Safe accepts
 */
export const contractSignature = (text: string, maxBytes: number): `0x${string}` | undefined => {
  const bytes = (text.length - 2) / 2;
  if (bytes < MIN_BYTES || bytes > maxBytes || !HEX.test(text)) return undefined;
  const hex = text.slice(2).toLowerCase();
  if (hasSignatureShape(text)) {
    const v = Number.parseInt(hex.slice(128), 16);
    // Check r and s as in a wallet's signature, independent of v.
    const isCanonical = canonicalSignature(`0x${hex.slice(0, 128)}1b`) !== undefined;
    if (v !== APPROVED_V && !(SIGNED_V.includes(v) && isCanonical)) return undefined;
  }
  return `0x${hex}`;
};
