import { canonicalSignature } from '@florin/evm/signatures';
import { hashMessage, isAddressEqual, recoverAddress } from 'viem';

/**
 * Whether the key of a plain account signed `message` with personal_sign (EIP-191, version 0x45), in the one canonical form of
 * signatures. Answers false, never throws.
 */
export const isSignedBy = async (address: `0x${string}`, message: string, signature: string): Promise<boolean> => {
  const canonical = canonicalSignature(signature);
  if (canonical === undefined) return false;
  try {
    return isAddressEqual(await recoverAddress({ hash: hashMessage(message), signature: canonical }), address);
  } catch {
    // r is not the x coordinate of a point on the curve: nobody's signature.
    return false;
  }
};
