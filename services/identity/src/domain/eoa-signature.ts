import { recoverSigner } from '@florin/evm/signatures';
import { type Hex, isAddressEqual } from 'viem';

/**
 * Reports whether the key of a plain account signed a digest, in the canonical form of signatures. Never rejects.
 * @param digest the 32 bytes that were signed: an EIP-191 or EIP-712 hash
 */
export const isSignedBy = async (address: Hex, digest: Hex, signature: string): Promise<boolean> => {
  const signer = await recoverSigner(digest, signature);
  return signer !== undefined && isAddressEqual(signer, address);
};
