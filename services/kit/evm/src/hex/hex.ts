/** Bytes as 0x and hex digits. */
export type Hex = `0x${string}`;

export const concatHex = (parts: readonly Hex[]): Hex => `0x${parts.map((part) => part.slice(2)).join('')}`;

/** A non-negative integer in so many bytes, big-endian. @throws RangeError when it does not fit */
export const hexOf = (value: number, bytes: number): Hex => {
  const digits = value.toString(16).padStart(bytes * 2, '0');
  if (digits.length > bytes * 2) throw new RangeError(`${value} does not fit ${bytes} bytes`);
  return `0x${digits}`;
};

/** Length in bytes. */
export const hexSize = (hex: Hex): number => (hex.length - 2) / 2;
