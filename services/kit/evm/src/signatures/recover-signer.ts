import { type Address, bytesToHex, hexToBytes } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import type { Hex } from '../hex.ts';
import { theRecoverer } from '../secp256k1/index.ts';
import { canonicalSignature } from './canonical-signature.ts';

const COMPACT_BYTES = 64;

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
  const bytes = hexToBytes(canonical);
  const { recover } = await theRecoverer();
  // v is 27 or 28 (`canonicalSignature`).
  const key = await recover(hexToBytes(digest), bytes.subarray(0, COMPACT_BYTES), bytes[COMPACT_BYTES] === 27 ? 0 : 1);
  return key === undefined ? undefined : publicKeyToAddress(bytesToHex(key));
};

/** Which implementation of secp256k1 recovers signers in this process. It is loaded by the first call. */
export const signatureRecovery = async (): Promise<'native' | 'wasm' | 'javascript'> => (await theRecoverer()).name;
