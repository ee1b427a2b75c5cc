import { auditShape } from '@florin/data/audit';
import { storeShape } from '@florin/data/store';
import { chainShape } from '@florin/evm/chain';
import { httpUrl, seconds, serviceShape } from '@florin/rpc/config';
import { z } from 'zod';

export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...auditShape,
  ...chainShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_threeds'),
  /** Identity service: publishes the keys that verify user tokens, and holds the users' wallets. */
  IDENTITY_URL: httpUrl,
  /** Card service: holds the card that pays. */
  CARD_URL: httpUrl,
  /** Ledger service: holds the account that the card spends from. */
  LEDGER_URL: httpUrl,
  /** Access control server: `sandbox` confirms each decision at once, `grpc` waits for AcknowledgeDecision. Default: sandbox in the sandbox, else grpc. */
  ACS: z.enum(['sandbox', 'grpc']).optional(),
  /** Time to confirm a decision, in seconds; an unconfirmed challenge fails after it. */
  ACK_TIMEOUT_SECONDS: seconds.max(3600).default(120),
  /** Days after its decision for which a payment can use an approval, at most 90. */
  APPROVAL_MAX_AGE_DAYS: z.coerce.number().int().min(1).max(90).default(90),
  /** Interval of the sweeper, in milliseconds. */
  SWEEP_INTERVAL_MS: z.coerce.number().int().min(50).max(60_000).default(500),
  /** Days for which idempotency keys of requests are kept. A repeat after that counts as a new request. */
  RETENTION_IDEMPOTENCY_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
} as const;

export type ThreedsConfig = z.output<z.ZodObject<typeof configShape>>;
