import { auditShape } from '@florin/data/audit';
import { storeShape } from '@florin/data/store';
import { chainShape } from '@florin/evm/chain';
import type { Hex } from '@florin/evm/hex';
import { DELAY_1_0_1 } from '@florin/evm/safe';
import { assetsSchema, DEFAULT_ASSETS } from '@florin/rpc/assets';
import { httpUrl, json, seconds, serviceShape } from '@florin/rpc/config';
import { getAddress } from 'viem';
import { z } from 'zod';

const privateKey = z
  .string()
  .trim()
  .regex(/^0x[0-9a-f]{64}$/, 'must be a private key: 0x and 64 hex digits in lower case')
  .transform((text) => text as Hex);

const privateKeys = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(privateKey).min(1).max(100));

const evmAddress = z
  .string()
  .trim()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an EVM address')
  .transform((text) => getAddress(text.toLowerCase()));

const evmAddresses = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(evmAddress).max(100));

const contract = z.object({
  address: evmAddress,
  codeHash: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/, 'must be a Keccak-256 hash')
    .transform((text) => text as Hex),
});

const amount = z
  .string()
  .regex(/^(?:0|[1-9][0-9]{0,59})$/)
  .transform(BigInt);

const collection = z.object({
  above: z.record(z.string(), amount).default({}),
  treasury: evmAddress,
  limits: z.record(z.string(), amount).refine((limits) => Object.keys(limits).length > 0),
});

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
  /** Settlement service: books what is collected from Safes and returned to them. Unset: it is not reported. */
  SETTLEMENT_URL: httpUrl.optional(),
  /** Chains, currencies and tokens as JSON, as the ledger has them. Tokens without an address are not watched. */
  ASSETS: json(assetsSchema).default(DEFAULT_ASSETS),
  /** Pause between two looks at a chain, in milliseconds. */
  CHAIN_POLL_MS: z.coerce.number().int().min(20).max(60_000).default(2000),
  /**
   * Accounts whose balances are compared with the chain in a second, on average, again and again. A hundred together cost one call to the ledger
   * and one query to each node. 0: only `npm run reconcile` compares.
   */
  RECONCILE_ACCOUNTS_PER_SECOND: z.coerce.number().int().min(0).max(1000).default(20),
  /**
   * Seconds between two proofs of reserves of a chain. Each reads the balances of all accounts once, and has the ledger make a snapshot. 0: none are
   * made.
   */
  RESERVES_INTERVAL_SECONDS: z.coerce.number().int().min(0).max(31_536_000).default(86_400),
  /**
   * Last block by chain id before which nothing is booked, `{"100":40000000}`, for the first start only: later ones go on where the last one ended.
   * Default: the newest finalized block at the first start.
   */
  CHAIN_START_BLOCKS: json(z.record(z.string().regex(/^[1-9][0-9]{0,9}$/), z.number().int().min(0))).default({}),
  /**
   * Private key of the relayer, which pays for transactions. No other program may use it. Without both keys, no Safes are deployed and no withdrawals
   * carried out.
   */
  CHAIN_RELAYER_KEY: privateKey.optional(),
  /**
   * Private keys of several relayers, separated by commas, in place of CHAIN_RELAYER_KEY: each has up to sixteen transactions waiting to be mined. The first one is the operator of the treasury.
   * What a key has signed that is taken out is broadcast until it is final, and the first one does the rest.
   */
  CHAIN_RELAYER_KEYS: privateKeys.optional(),
  /** Addresses of relayers whose keys are lost, separated by commas: the first relayer signs again what they have signed. Both transactions may be paid for; the second one does nothing. */
  CHAIN_RELAYERS_LOST: evmAddresses.default([]),
  /**
   * Private keys of the platform, separated by commas, that of SAFE_PLATFORM_OWNER of the ledger first, and those of Safes that have another one. They sign
   * withdrawals that the user has signed, and never send a transaction.
   */
  CHAIN_COSIGNER_KEYS: privateKeys.optional(),
  /**
   * Addresses of Safes 1.4.1 of the platform, separated by commas, that are second owners of users' Safes and for which keys of CHAIN_COSIGNER_KEYS sign. They have neither
   * modules nor a guard.
   */
  CHAIN_COSIGNER_SAFES: evmAddresses.default([]),
  /** The same as CHAIN_COSIGNER_KEYS with one key. */
  CHAIN_COSIGNER_KEY: privateKey.optional(),
  /**
   * Delay module of the Safes as JSON: address and Keccak-256 of its code. Modules that are known to take forged signatures are rejected. Default:
   * Delay 1.0.1 of Zodiac. A change of this and of the next two concerns Safes that are set up later: others are inspected against what they were set up with.
   */
  SAFE_DELAY_MODULE: json(contract).default(DELAY_1_0_1),
  /** Seconds between a user's request to leave without the platform, and the earliest execution. */
  SAFE_DELAY_COOLDOWN_SECONDS: seconds.min(60).max(31_536_000).default(90_000),
  /** Seconds after the cooldown in which it can be executed. */
  SAFE_DELAY_EXPIRATION_SECONDS: seconds.min(60).max(31_536_000).default(111_600),
  /**
   * Seconds between the request to exchange a lost owner, by a backup key and the platform, and the exchange. Who names a backup key waits as much longer to leave without the
   * platform. A change of this and of the next one concerns backup keys that are named later.
   */
  SAFE_RECOVERY_COOLDOWN_SECONDS: seconds.min(60).max(31_536_000).default(172_800),
  /** Seconds after that in which the owner can be exchanged. */
  SAFE_RECOVERY_EXPIRATION_SECONDS: seconds.min(60).max(31_536_000).default(604_800),
  /**
   * Seconds after which a verified Safe is inspected again, besides the alarms about events; less than half of SAFE_DELAY_COOLDOWN_SECONDS. A Safe that
   * deviates blocks its account. The service is not ready while a Safe has waited for longer than that half.
   */
  SAFE_INSPECTION_SECONDS: seconds.min(1).max(31_536_000).default(21_600),
  /**
   * Most that an account may withdraw of a token within 24 hours, by symbol, in its smallest unit, `{"EURe":"1000000000000000000000"}`. Tokens that are left out: 10,000 whole
   * units; in the sandbox no limit.
   */
  WITHDRAWAL_LIMITS: json(z.record(z.string(), amount)).default({}),
  /** Least amount of a withdrawal, in the same form: the platform pays the gas of each. Tokens that are left out: one whole unit; in the sandbox any amount. */
  WITHDRAWAL_MINIMUMS: json(z.record(z.string(), amount)).default({}),
  /**
   * Least amount of a deposit that stops the withdrawals of its account when it is rejected by screening, until a person decides, in the same form. Tokens that
   * are left out: one whole unit; in the sandbox any amount.
   */
  WITHDRAWALS_FREEZE_FROM: json(z.record(z.string(), amount)).default({}),
  /** Withdrawals that an account may have sent within 24 hours; ten times as many addresses can be new recipients. Default: 10; in the sandbox 1,000. */
  WITHDRAWALS_PER_DAY: z.coerce.number().int().min(1).max(1000).optional(),
  /**
   * Seconds between the first request for a withdrawal to an address and the first withdrawal to it, so that the thief of a wallet is noticed before the
   * money is gone. Default: 86,400; in the sandbox 0.
   */
  WITHDRAWAL_RECIPIENT_COOLING_SECONDS: z.coerce.number().int().min(0).max(2_592_000).optional(),
  /**
   * Collects what cards have spent from Safes, as JSON: the address that receives it, and the most that is collected of a token from a Safe in a day (UTC), by symbol, in its smallest unit,
   * `{"treasury":"0x…","limits":{"EURe":"5000000000000000000000"}}`. A Safe is collected from once a day, and for amounts of `above` (in the form of `limits`) at any time. Users accept it with the set-ups of their Safes, so a change concerns Safes that are shown later. The treasury approves the Collector for
   * what it returns, and makes the relayer its operator. The contract is not audited. Default: nothing is collected.
   */
  CHAIN_COLLECTION: json(collection).optional(),
  /** Seconds between two looks at a Safe for refunds that can be netted with what was spent, and for what can be collected. Each reads the account's entries since the last one. */
  CHAIN_COLLECTION_SECONDS: seconds.min(1).max(86_400).default(3600),
  /** Seconds after which a transaction that is not mined is replaced by one with a higher fee. */
  CHAIN_REPLACE_AFTER_SECONDS: seconds.max(3600).default(30),
  /** Most of it that is a tip, in gwei, all of which is paid. Of the tips that the nodes propose, the lowest counts. */
  CHAIN_MAX_TIP_GWEI: z.coerce.number().int().min(1).max(100_000).default(10),
  /** Most that the relayer offers for a unit of gas, in gwei. */
  CHAIN_MAX_FEE_GWEI: z.coerce.number().int().min(1).max(100_000).default(200),
} as const;

export type ChainConfig = z.output<z.ZodObject<typeof configShape>>;
