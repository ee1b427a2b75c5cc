import { z } from 'zod';

/** EVM address of any case. */
export const addressSchema = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits');

/** The longest IPv6 address in text, one that holds an IPv4 address. */
const IP_LENGTH = 45;

/** A caller's IP address: kept for people to read, so cut instead of refused. */
export const ipField = z.string().transform((text) => text.slice(0, IP_LENGTH));
