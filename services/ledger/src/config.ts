import { auditShape } from '@florin/data/audit';
import { storeShape } from '@florin/data/store';
import { assetsSchema, DEFAULT_ASSETS } from '@florin/rpc/assets';
import { serviceKeySchema } from '@florin/rpc/auth';
import { flag, httpUrl, json, serviceShape } from '@florin/rpc/config';
import { getAddress, isAddress, zeroAddress } from 'viem';
import { z } from 'zod';
import { DEFAULT_SYSTEM_ACCOUNTS, systemAccountsSchema } from './domain/system-accounts.ts';

const address = z
  .string()
  .refine((text) => isAddress(text), 'must be an EVM address, with the right checksum if it has mixed case (EIP-55)')
  .transform((text) => getAddress(text))
  .refine((owner) => owner !== zeroAddress, 'must not be the zero address');

/** Amounts by token, in its smallest unit. */
const amountsByToken = json(
  z.record(
    z.string(),
    z
      .string()
      .regex(/^(?:0|[1-9][0-9]{0,59})$/)
      .transform(BigInt),
  ),
);

const publicKeySchema = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });

/** Variables about signed heads, of the service and of its commands. */
export const headShape = {
  /** Private Ed25519 key (JWK) that signs heads. Without one no heads are signed. */
  LEDGER_HEAD_KEY: json(serviceKeySchema).optional(),
  /** Public keys (JWK) of earlier head keys, as a JSON array: what they signed is still accepted, and they stay published. */
  LEDGER_HEAD_TRUST: json(z.array(publicKeySchema).max(32)).default([]),
} as const;

/** Variables about runs of entries, of the service and of its commands. */
export const runShape = {
  /**
   * Entries per shard that are held in memory, and read from blocks at a start, before they are written into a run, by which they are then
   * found.
   */
  JOURNAL_RUN_ENTRIES: z.coerce.number().int().min(1).max(100_000).default(50_000),
} as const;

/** Environment variables of the ledger service, beside those of every service. */
export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...auditShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_ledger'),
  /** Where identity publishes the keys of users' tokens. */
  IDENTITY_URL: httpUrl,
  /** Chains, currencies and tokens as JSON (`services/kit/rpc/src/assets`). */
  ASSETS: json(assetsSchema).default(DEFAULT_ASSETS),
  /**
   * True if an account becomes active only once the chain service has found its Safe deployed and verified, so that no card spends from one that is
   * not. Needs the chain service, with keys. Accounts that are active already stay so.
   */
  ACCOUNTS_NEED_SAFE: flag.default(false),
  /**
   * Address of the platform's key, or of its Safe, that is the second owner of the Safes of new accounts: both owners must sign from the beginning. The
   * chain service must have it (CHAIN_COSIGNER_KEYS). Required with ACCOUNTS_NEED_SAFE. Without it, the user owns a new Safe alone until it is set up.
   */
  SAFE_PLATFORM_OWNER: address.optional(),
  /** System accounts besides the built-in ones, as JSON (`domain/system-accounts.ts`). */
  SYSTEM_ACCOUNTS: json(systemAccountsSchema).default(DEFAULT_SYSTEM_ACCOUNTS),
  /**
   * Amount by token, in its smallest unit, beyond which an adjustment needs a second person's approval, as JSON. Tokens that are left out: 0,
   * so that every adjustment needs one; 1,000 whole units in the sandbox.
   */
  APPROVAL_ABOVE: amountsByToken.default({}),
  /**
   * Hours within which adjustments without approval are added up, by actor and by account: together they stay within APPROVAL_ABOVE, so that
   * an amount cannot be split.
   */
  APPROVAL_WINDOW_HOURS: z.coerce.number().int().min(1).max(744).default(24),
  /** Hours after which an adjustment that was not decided on expires. */
  APPROVAL_EXPIRES_HOURS: z.coerce.number().int().min(1).max(8760).default(168),
  /** Interval between two searches for adjustments that expire or were interrupted, in milliseconds. */
  ADJUSTMENT_SWEEP_MS: z.coerce.number().int().min(20).max(3_600_000).default(5000),
  /**
   * Most of a token, in its smallest unit, that an account may have held and spent by card, and not collected from its Safe yet, as JSON: an owner can leave with it. Beyond it payments are
   * declined. Counts for Safes that do not allow the token to be collected; what others allow in a day is their limit. Refunds reduce it once chain has
   * netted them, which takes a Safe that it has verified: of other accounts all that was spent and not collected counts. Tokens that are left out: 1,000 whole units; in the sandbox any amount.
   */
  UNCOLLECTED_LIMITS: amountsByToken.default({}),
  /**
   * Shards of the journal. Chosen once: a start with another number than the database's is refused; unset, it is the database's. More than one needs
   * ENTRY_IDS_PER_SHARD.
   */
  JOURNAL_SHARDS: z.coerce.number().int().min(1).max(256).optional(),
  /**
   * Accepts that with several shards an entry id is unique within its shard only: the same id used again for an account of another shard is another
   * entry, and is booked. Callers must not use an id for two accounts.
   */
  ENTRY_IDS_PER_SHARD: flag.default(false),
  /** Where the other instances reach this one. Default: where it listens. */
  ADVERTISE_URL: httpUrl.optional(),
  /** How long a shard stays with an owner that is silent, in milliseconds. */
  LEDGER_LEASE_MS: z.coerce.number().int().min(100).max(60_000).default(1200),
  /** Most entries in one journal block. */
  JOURNAL_BLOCK_ENTRIES: z.coerce.number().int().min(1).max(10_000).default(4000),
  ...runShape,
  /** Most entries per shard that wait for a block; beyond it callers get SERVICE_UNAVAILABLE. */
  JOURNAL_QUEUE: z.coerce.number().int().min(1).max(100_000).default(50_000),
  /**
   * Most accounts per shard whose balances are kept in memory while nobody uses them. An account takes about 100 bytes; a larger one, with many
   * holds, counts once per 100 bytes.
   */
  JOURNAL_ACCOUNTS_IN_MEMORY: z.coerce.number().int().min(1).max(10_000_000).default(1_000_000),
  /** How often an instance looks for blocks that another one appended, in milliseconds. */
  JOURNAL_REFRESH_MS: z.coerce.number().int().min(50).max(60_000).default(1000),
  /** How long an answer waits until lists show what it says, in milliseconds. Longer only while MongoDB is slow or unavailable. */
  JOURNAL_PROJECTION_WAIT_MS: z.coerce.number().int().min(0).max(10_000).default(2000),
  ...headShape,
  /** How often the last block is signed while blocks are appended, in milliseconds. */
  LEDGER_HEAD_MS: z.coerce.number().int().min(50).max(3_600_000).default(5000),
  /** How often all balances are stored and the root of their tree is signed while blocks are appended, in milliseconds. */
  LEDGER_SNAPSHOT_MS: z.coerce.number().int().min(1000).max(86_400_000).default(3_600_000),
  /** KYT screener of deposits: `off` (an external system calls ResolveDeposit, and nobody screens recipients), `sandbox` (simulated) or `http` (a provider). Default: sandbox in the sandbox, otherwise off. */
  KYT: z.enum(['off', 'sandbox', 'http']).optional(),
  /** URL of the KYT provider, which serves `POST /screenings` about deposits and `POST /recipients` about withdrawals. */
  KYT_URL: httpUrl.optional(),
  /** Bearer token for the KYT provider. */
  KYT_TOKEN: z.string().min(1).max(4096).optional(),
  /** Timeout of a request to the KYT provider, in milliseconds. */
  KYT_TIMEOUT_MS: z.coerce.number().int().min(50).max(8000).default(3000),
  /**
   * Least amount of a deposit by token, in its smallest unit, as JSON, for the ledger's own screener. What is below it is booked as rejected, without a
   * screening. Tokens that are left out: one minor unit of the currency (a cent), which is the least that can be spent; in the sandbox any amount.
   */
  DEPOSIT_MINIMUMS: amountsByToken.default({}),
  /** Interval between two searches for deposits to screen, in milliseconds. */
  KYT_SWEEP_MS: z.coerce.number().int().min(20).max(60_000).default(2000),
  /** Pause before a deposit without a verdict is screened again, in milliseconds. Doubles each time, up to 15 minutes. */
  KYT_RETRY_MS: z.coerce.number().int().min(20).max(900_000).default(10_000),
} as const;

export type LedgerConfig = z.output<z.ZodObject<typeof configShape>>;
