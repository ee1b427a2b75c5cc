import { canonicalSignature, hasSignatureShape } from './canonical-signature.ts';

/** v of a single owner's signature in a Safe: 1 approved on the chain, 27 and 28 over the hash, 31 and 32 over it as a personal message. */
const APPROVED_V = 1;
const SIGNED_V = [27, 28, 31, 32];

const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;
const MIN_BYTES = 65;

/**
 * The form in which a contract is asked about a signature (EIP-1271), lower case. A single owner's 65 bytes are held to the plain
 * wallets' rule, so that the second spelling of a signature is refused wherever it comes from; what longer ones mean is for the
 * contract to say.
 * @returns undefined for what is no hex of 65 to `maxBytes` bytes, and for what no contract is to be asked about
 */
export const contractSignature = (text: string, maxBytes: number): `0x${string}` | undefined => {
  const bytes = (text.length - 2) / 2;
  if (bytes < MIN_BYTES || bytes > maxBytes || !HEX.test(text)) return undefined;
  const hex = text.slice(2).toLowerCase();
  if (hasSignatureShape(text)) {
    const v = Number.parseInt(hex.slice(128), 16);
    // r and s are judged as a wallet's are, whatever v says of how the hash was signed.
    const isCanonical = canonicalSignature(`0x${hex.slice(0, 128)}1b`) !== undefined;
    if (v !== APPROVED_V && !(SIGNED_V.includes(v) && isCanonical)) return undefined;
  }
  return `0x${hex}`;
};
