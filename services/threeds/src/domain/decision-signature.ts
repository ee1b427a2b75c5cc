import { type Address, type Hex, hashTypedData, recoverAddress } from 'viem';
import { type DecisionTypedData, toSignable } from './decision-typed-data.ts';

/** Order of secp256k1 (SEC 2, section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const SHAPE = /^0x[0-9a-fA-F]{130}$/;

/** Whether a text can be a signature at all: 65 bytes of hex. */
export const hasSignatureShape = (text: string): boolean => SHAPE.test(text);

/**
 * The one accepted form of a signature: r and s inside the group's order, s in its lower half (EIP-2: of the two signatures
 * that prove the same, one is canonical), v 27 or 28. Lower-case, so that one signature has one spelling.
 * @returns undefined for everything else
 */
export const canonicalSignature = (text: string): Hex | undefined => {
  if (!hasSignatureShape(text)) return undefined;
  const hex = text.slice(2).toLowerCase();
  const r = BigInt(`0x${hex.slice(0, 64)}`);
  const s = BigInt(`0x${hex.slice(64, 128)}`);
  const v = Number.parseInt(hex.slice(128), 16);
  const isCanonical = r > 0n && r < ORDER && s > 0n && s <= ORDER / 2n && (v === 27 || v === 28);
  return isCanonical ? `0x${hex}` : undefined;
};

/**
 * The address whose key made a canonical signature over the typed data, EIP-55.
 * @returns undefined when r is no point of the curve. Any other signature recovers to *some* address: compare it.
 */
export const recoverSigner = async (data: DecisionTypedData, signature: Hex): Promise<Address | undefined> => {
  const hash = hashTypedData(toSignable(data));
  try {
    return await recoverAddress({ hash, signature });
  } catch {
    return undefined;
  }
};
