import type { Hex } from 'viem';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const hex32 = (value: bigint): string => value.toString(16).padStart(64, '0');
const hex1 = (value: number): string => value.toString(16).padStart(2, '0');

export const split = (signature: string) => ({
  r: BigInt(signature.slice(0, 66)),
  s: BigInt(`0x${signature.slice(66, 130)}`),
  v: Number.parseInt(signature.slice(130), 16),
});

export const join = ({ r, s, v }: { r: bigint; s: bigint; v: number }): Hex => `0x${hex32(r)}${hex32(s)}${hex1(v)}`;

export const withV = (signature: string, v: number): Hex => join({ ...split(signature), v });

/** The other signature that proves the same: s mirrored into the upper half, v flipped. */
export const malleated = (signature: string): Hex => {
  const { r, s, v } = split(signature);
  return join({ r, s: ORDER - s, v: v === 27 ? 28 : 27 });
};
