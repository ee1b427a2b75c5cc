/** Order of secp256k1 (SEC 2, section 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const SHAPE = /^0x[0-9a-fA-F]{130}$/;

/** Reports whether a text has the shape of a plain account's signature: 65 bytes of hex. */
export const hasSignatureShape = (text: string): boolean => SHAPE.test(text);

/**
 * Parses an ECDSA signature in its canonical form: r and s within the order of the group, s in the lower half (EIP-2), v 27 or 28. Each
 * signature has an equivalent one with s in the upper half; accepting both would give one signature two forms.
 * @returns the signature in lower case, so that it has one spelling; undefined for any other text
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
