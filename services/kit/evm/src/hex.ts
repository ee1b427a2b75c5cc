/** Bytes as `0x` and two hex digits each. */
export type Hex = `0x${string}`;

/** Concatenates bytes. */
export const concatHex = (parts: readonly Hex[]): Hex => `0x${parts.map((part) => part.slice(2)).join('')}`;

/** Encodes a non-negative integer in a fixed number of bytes, big-endian. @throws RangeError when it does not fit */
export const hexOf = (value: number, bytes: number): Hex => {
  const digits = value.toString(16).padStart(bytes * 2, '0');
  if (digits.length > bytes * 2) throw new RangeError(`${value} does not fit in ${bytes} bytes`);
  return `0x${digits}`;
};

/** Returns the length in bytes. */
export const hexSize = (hex: Hex): number => (hex.length - 2) / 2;
