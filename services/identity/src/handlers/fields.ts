import { z } from 'zod';

/** EVM address of any case. */
export const addressSchema = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits');
