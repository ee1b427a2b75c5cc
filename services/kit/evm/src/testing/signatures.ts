type Hex = `0x${string}`;

/** Order of secp256k1 (SEC 2, section 2.4.1). */
export const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const hex32 = (value: bigint): string => value.toString(16).padStart(64, '0');
const hex1 = (value: number): string => value.toString(16).padStart(2, '0');

const split = (signature: string) => ({
  r: BigInt(signature.slice(0, 66)),
  s: BigInt(`0x${signature.slice(66, 130)}`),
  v: Number.parseInt(signature.slice(130), 16),
});

/** Joins the parts of a signature in Ethereum's wire format: r, s, v in 65 bytes of 0x hex. */
export const joinSignature = ({ r, s, v }: { r: bigint; s: bigint; v: number }): Hex => `0x${hex32(r)}${hex32(s)}${hex1(v)}`;

/** Replaces v in a signature. */
export const withV = (signature: string, v: number): Hex => joinSignature({ ...split(signature), v });

/** Returns the equivalent signature with s in the upper half and v flipped. */
export const malleated = (signature: string): Hex => {
  const { r, s, v } = split(signature);
  return joinSignature({ r, s: SECP256K1_ORDER - s, v: v === 27 ? 28 : 27 });
};
