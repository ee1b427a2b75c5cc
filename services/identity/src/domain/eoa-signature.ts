import { canonicalSignature } from '@florin/evm/signatures';
import { hashMessage, isAddressEqual, recoverAddress } from 'viem';

/**
 * Whether the key of a plain account signed `message` with personal_sign (EIP-191, version 0x45), in canonical form. Returns false for
 * a malformed signature; never throws.
 */
export const isSignedBy = async (address: `0x${string}`, message: string, signature: string): Promise<boolean> => {
  const canonical = canonicalSignature(signature);
  if (canonical === undefined) return false;
  try {
    return isAddressEqual(await recoverAddress({ hash: hashMessage(message), signature: canonical }), address);
  } catch {
    // No point on the curve has this x coordinate, so no key can have signed.
    return false;
  }
};
