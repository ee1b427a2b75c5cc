import { recoverSigner } from '@florin/evm/signatures';
import { hashMessage, isAddressEqual } from 'viem';

/**
 * Reports whether the key of a plain account signed `message` with personal_sign (EIP-191, version 0x45), in the canonical form of
 * signatures. Never rejects.
 */
export const isSignedBy = async (address: `0x${string}`, message: string, signature: string): Promise<boolean> => {
  const signer = await recoverSigner(hashMessage(message), signature);
  return signer !== undefined && isAddressEqual(signer, address);
};
