/** Order of secp256k1 (SEC 2, section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const SHAPE = /^0x[0-9a-fA-F]{130}$/;

/** Whether a text can be a signature of a plain account at all: 65 bytes of hex. */
export const hasSignatureShape = (text: string): boolean => SHAPE.test(text);

/**
 * The one accepted form of an ECDSA signature: r and s inside the group's order, s in its lower half (EIP-2: of the two signatures
 * that prove the same, one is canonical; accepting both would make two signatures of one), v 27 or 28. Lower case, so that one
 * signature has one spelling.
 * @returns undefined for everything else
 */
export const canonicalSignature = (text: string): `0x${string}` | undefined => {
  if (!hasSignatureShape(text)) return undefined;
  const hex = text.slice(2).toLowerCase();
  const r = BigInt(`0x${hex.slice(0, 64)}`);
  const s = BigInt(`0x${hex.slice(64, 128)}`);
  const v = Number.parseInt(hex.slice(128), 16);
  const isCanonical = r > 0n && r < ORDER && s > 0n && s <= ORDER / 2n && (v === 27 || v === 28);
  return isCanonical ? `0x${hex}` : undefined;
};
