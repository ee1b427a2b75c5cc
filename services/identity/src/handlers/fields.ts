import { z } from 'zod';

/** EVM address, in any case. */
export const addressSchema = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits');

/** Length of the longest textual IPv6 address, one with an embedded IPv4 address. */
const IP_LENGTH = 45;

/** IP address of a caller. It is only displayed, so a value that is too long is cut. */
export const ipField = z.string().transform((text) => text.slice(0, IP_LENGTH));
