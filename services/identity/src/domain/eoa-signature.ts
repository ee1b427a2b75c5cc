import { hashMessage, isAddressEqual, recoverAddress } from 'viem';

/** Order of secp256k1 (SEC 2, section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;

/**
 * Whether `signature` is the one canonical form: 65 bytes, r and s in range, s in the lower half (EIP-2), v 27 or 28.
 * Every ECDSA signature has a second form that verifies as well; accepting it would make two signatures of one.
 */
export const isCanonicalSignature = (signature: string): signature is `0x${string}` => {
  if (!SIGNATURE.test(signature)) return false;
  const r = BigInt(signature.slice(0, 66));
  const s = BigInt(`0x${signature.slice(66, 130)}`);
  const v = Number.parseInt(signature.slice(130), 16);
  return r > 0n && r < ORDER && s > 0n && s <= ORDER / 2n && (v === 27 || v === 28);
};

/** Whether the key of a plain account signed `message` with personal_sign (EIP-191, version 0x45). Answers false, never throws. */
export const isSignedBy = async (address: `0x${string}`, message: string, signature: string): Promise<boolean> => {
  if (!isCanonicalSignature(signature)) return false;
  try {
    return isAddressEqual(await recoverAddress({ hash: hashMessage(message), signature }), address);
  } catch {
    // r is not the x coordinate of a point on the curve: nobody's signature.
    return false;
  }
};
