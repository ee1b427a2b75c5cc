/** A number or an address as a word of call data (Solidity ABI). @param hex with or without `0x`, in any case */
export const word = (hex: string): string => hex.replace(/^0x/i, '').toLowerCase().padStart(64, '0');

/** A number in hexadecimal. */
export const hexOf = (value: number | string): string => BigInt(value).toString(16);

/** The dynamic part of `bytes`: their length, and the bytes, up to a whole word. @param hex without `0x` */
export const bytes = (hex: string): string => word(hexOf(hex.length / 2)) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
