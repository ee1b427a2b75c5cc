import { auditShape } from '@florin/data/audit';
import { storeShape } from '@florin/data/store';
import { chainShape } from '@florin/evm/chain';
import { assetsSchema, DEFAULT_ASSETS } from '@florin/rpc/assets';
import { httpUrl, json, serviceShape } from '@florin/rpc/config';
import { z } from 'zod';

/** Environment variables of the chain service, beside those of every service. */
export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...chainShape,
  ...auditShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_chain'),
  /** Identity service: publishes the keys that verify user tokens. */
  IDENTITY_URL: httpUrl,
  /** Ledger service: knows the accounts, and books what the chains show. */
  LEDGER_URL: httpUrl,
  /** Chains, currencies and tokens as JSON, as the ledger has them. Tokens without an address are not watched. */
  ASSETS: json(assetsSchema).default(DEFAULT_ASSETS),
  /** Pause between two looks at a chain, in milliseconds. */
  CHAIN_POLL_MS: z.coerce.number().int().min(20).max(60_000).default(2000),
  /**
   * Last block by chain id before which nothing is booked, `{"100":40000000}`, for the first start only: later ones go on where the last one ended.
   * Default: the newest finalized block at the first start.
   */
  CHAIN_START_BLOCKS: json(z.record(z.string().regex(/^[1-9][0-9]{0,9}$/), z.number().int().min(0))).default({}),
} as const;

export type ChainConfig = z.output<z.ZodObject<typeof configShape>>;
