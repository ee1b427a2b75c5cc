import { fieldShape } from '@florin/data/encryption';
import { storeShape } from '@florin/data/store';
import { httpUrl, masterKey, serviceShape } from '@florin/rpc/config';
import { z } from 'zod';

export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...fieldShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_card'),
  /** Identity service: publishes the keys that verify user tokens, and verifies phone codes. */
  IDENTITY_URL: httpUrl,
  /** Ledger service: holds the account that a card spends from. */
  LEDGER_URL: httpUrl,
  /** Master key of the card numbers: 32 bytes in base64url. */
  CARD_MASTER_KEY: masterKey,
  /** Whether the first card and a change of phone number require a number that a code has verified. */
  PHONE_VERIFICATION: z.enum(['off', 'required']).default('off'),
  /** Processor that issues cards. */
  PROCESSOR: z.enum(['sandbox']).default('sandbox'),
  /** Timeout of a call to the processor, in milliseconds. Must be below the deadline of CreateVirtualCard callers. */
  PROCESSOR_TIMEOUT_MS: z.coerce.number().int().min(1).max(30_000).default(3000),
} as const;

export type CardConfig = z.output<z.ZodObject<typeof configShape>>;
