/** A number or an address as a word of call data (Solidity ABI). @param hex with or without `0x`, in any case @throws Error when it does not fit into one */
export const word = (hex: string): string => {
  const digits = hex.replace(/^0x/i, '').toLowerCase();
  if (!/^[0-9a-f]{0,64}$/.test(digits)) throw new Error('a word has 64 hex digits');
  return digits.padStart(64, '0');
};

/** A number in hexadecimal. */
export const hexOf = (value: number | string): string => BigInt(value).toString(16);

/** The dynamic part of `bytes`: their length, and the bytes, up to a whole word. @param hex without `0x` */
export const bytes = (hex: string): string => word(hexOf(hex.length / 2)) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');

const ADDRESS = /^0x[0-9a-f]{40}$/;

/** Returns true for an address in lower case. */
export const isAddress = (text: unknown): text is string => typeof text === 'string' && ADDRESS.test(text);
