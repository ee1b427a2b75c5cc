import { storeShape } from '@florin/data/store';
import { httpUrl, masterKey, serviceShape } from '@florin/rpc/config';
import { z } from 'zod';

export const configShape = {
  ...serviceShape,
  ...storeShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_card'),
  /** Publishes the keys that verify users' tokens, and checks phone codes. */
  IDENTITY_URL: httpUrl,
  /** Knows the account that a card spends from. */
  LEDGER_URL: httpUrl,
  /** Root of the keys that card numbers hang on: 32 bytes in base64url. */
  CARD_MASTER_KEY: masterKey,
  /** Whether a first card, and a change of the number, need a number that a code has proven. */
  PHONE_VERIFICATION: z.enum(['off', 'required']).default('off'),
  /** Who issues cards. */
  PROCESSOR: z.enum(['sandbox']).default('sandbox'),
  /** Longest wait for the processor, in milliseconds. Below the deadline that callers give a card creation. */
  PROCESSOR_TIMEOUT_MS: z.coerce.number().int().min(1).max(30_000).default(3000),
} as const;

export type CardConfig = z.output<z.ZodObject<typeof configShape>>;
