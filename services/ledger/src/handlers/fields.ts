import { isAddress, zeroAddress } from 'viem';
import { z } from 'zod';

/** Hash of a transaction: 0x and 64 hex digits, in one spelling, so that the same one is never taken for two. */
export const txHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .transform((text) => text.toLowerCase());

/** What Safe's owner list uses as its end mark and therefore refuses as an owner. */
const SENTINEL = `0x${'1'.padStart(40, '0')}`;

/** An EVM address that can own a Safe; mixed case must carry the right checksum (EIP-55). */
export const ownerAddress = z
  .string()
  .refine((text) => isAddress(text), 'must be an EVM address')
  .refine((text) => text !== zeroAddress && text !== SENTINEL, 'cannot own a Safe');
