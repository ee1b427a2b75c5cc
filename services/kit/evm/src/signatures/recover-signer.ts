import { type Address, recoverAddress } from 'viem';
import type { Hex } from '../hex/index.ts';
import { canonicalSignature } from './canonical-signature.ts';

/**
 * Recovers the address whose key signed a digest.
 * @param digest the 32 bytes that were signed, for example an EIP-191 or EIP-712 hash
 * @param signature 65 bytes of hex; only the canonical form is accepted (see `canonicalSignature`)
 * @returns an EIP-55 address, which the caller must compare: a signature over another digest recovers to some other address.
 * Undefined when the signature is not canonical, or when r is not the x coordinate of a point on the curve
 */
export const recoverSigner = async (digest: Hex, signature: string): Promise<Address | undefined> => {
  const canonical = canonicalSignature(signature);
  if (canonical === undefined) return undefined;
  try {
    return await recoverAddress({ hash: digest, signature: canonical });
  } catch {
    return undefined;
  }
};
