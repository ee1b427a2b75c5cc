import { z } from 'zod';

/** EVM address, in any case. */
export const addressSchema = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits');

/** RFC 7638 thumbprint of a DPoP key, SHA-256 in base64url; empty without a proof. */
export const thumbprintField = z.string().regex(/^(?:[A-Za-z0-9_-]{43})?$/, 'must be a SHA-256 in base64url, or empty');

/** Length of the longest textual IPv6 address, one with an embedded IPv4 address. */
const IP_LENGTH = 45;

/** IP address of a caller. It is only displayed, so a value that is too long is cut. */
export const ipField = z.string().transform((text) => text.slice(0, IP_LENGTH));
