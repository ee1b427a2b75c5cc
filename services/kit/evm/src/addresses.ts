import { type Address, keccak256 } from 'viem';
import type { Hex } from './hex.ts';

const DIGITS = 40;
const LOWER_A = 0x61;
/** Distance between a letter in lower case and in upper case (ASCII). */
const CASE = 0x20;

/**
 * Spells an address by EIP-55: a letter is in upper case where the hash of the digits in lower case has a digit of 8 or more. For many addresses that
 * are seen once: viem's `getAddress` takes more than twice the time, as it keeps what it has spelled.
 * @param address in lower case
 */
export const checksumAddress = (address: Hex): Address => {
  const digits = Buffer.from(address.slice(2), 'latin1');
  if (digits.length !== DIGITS) throw new Error('an address has 20 bytes');
  const hash = keccak256(digits, 'bytes');
  const spelled = digits.map((code, index) => {
    const byte = hash[index >> 1] ?? 0;
    const digit = index % 2 === 0 ? byte >> 4 : byte & 0xf;
    return code >= LOWER_A && digit >= 8 ? code - CASE : code;
  });
  return `0x${Buffer.from(spelled).toString('latin1')}`;
};
