import { auditShape } from '@florin/data/audit';
import { fieldShape } from '@florin/data/encryption';
import { storeShape } from '@florin/data/store';
import { httpUrl, json, serviceShape } from '@florin/rpc/config';
import { z } from 'zod';
import { programSchema, ratesSchema, webhookSecret, webhookSecrets } from './program-config.ts';

export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...auditShape,
  ...fieldShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_card'),
  /** Identity service: publishes the keys that verify user tokens, and verifies phone codes. */
  IDENTITY_URL: httpUrl,
  /** Ledger service: holds the account that a card spends from. */
  LEDGER_URL: httpUrl,
  /** Vault: makes and keeps the card numbers. */
  VAULT_URL: httpUrl,
  /** Requires a phone number that a code has verified for the first card and for a change of number (`required`), or takes any number (`off`). */
  PHONE_VERIFICATION: z.enum(['off', 'required']).default('off'),
  /** Threeds service: holds the cardholders' approvals that authorizations consume. */
  THREEDS_URL: httpUrl,
  /** Rules of the card program, as a JSON object with the members of [Card program](#card-program). Outside the sandbox it must state `authenticationFrom`. */
  CARD_PROGRAM: json(programSchema).default(programSchema.parse({})),
  /** Exchange rates, as JSON: units of the program's currency for one unit of each other currency, by ISO 4217 code. */
  FX_RATES: json(ratesSchema).optional(),
  /**
   * Euro foreign exchange reference rates of the European Central Bank: path of a file, or URL, that has `eurofxref-daily.xml` or the same as CSV. It is read at the start and every ten minutes.
   * Payments are converted by these rates unless `FX_RATES` is set, and each conversion is compared with them.
   */
  ECB_RATES: z.string().min(1).optional(),
  /** Age in days from which the rates in `ECB_RATES` are too old to decide payments by; what has happened is billed by them all the same. */
  ECB_RATES_MAX_AGE_DAYS: z.coerce.number().int().min(1).max(31).default(7),
  /** External decider of authorizations: the URL that is asked, https outside the sandbox. Without one, none is asked. */
  DECIDER_URL: httpUrl.optional(),
  /** Key that signs the questions to the external decider (Standard Webhooks): `whsec_` and 24 to 64 bytes in base64. Required with `DECIDER_URL`. */
  DECIDER_SECRET: webhookSecret.optional(),
  /** Time within which an authorization is decided, in milliseconds. */
  AUTHORIZATION_DEADLINE_MS: z.coerce.number().int().min(300).max(5000).default(1200),
  /** Processor that issues cards: `sandbox`, the default in the sandbox and only there, or `http`, a bridge to a processor. */
  PROCESSOR: z.enum(['sandbox', 'http']).optional(),
  /** URL of the bridge to the processor; https outside the sandbox, unless it is on this machine. Required with `PROCESSOR=http`. */
  PROCESSOR_URL: httpUrl.optional(),
  /**
   * Key that signs the messages to the bridge (Standard Webhooks): `whsec_` and 24 to 64 bytes in base64; two keys, separated by a space,
   * while the bridge changes over. Required with `PROCESSOR=http`.
   */
  PROCESSOR_SECRET: webhookSecrets.optional(),
  /** Timeout of a call to the processor, in milliseconds. Must be below the deadline of CreateVirtualCard callers. */
  PROCESSOR_TIMEOUT_MS: z.coerce.number().int().min(1).max(30_000).default(3000),
  /**
   * Names of the clients whose processor acknowledges the answer to each approval (`Acknowledge`), as a JSON array. An authorization of theirs that is not
   * acknowledged is held for UNACKNOWLEDGED_MINUTES only.
   */
  ACKNOWLEDGING_CLIENTS: json(z.array(z.string().min(1)).max(100)).default([]),
  /** Minutes for which the approval of an authorization is held before it is acknowledged. */
  UNACKNOWLEDGED_MINUTES: z.coerce.number().int().min(1).max(1440).default(15),
  /** Days after the latest approved payment of a user, and after its latest clearing, before which the user is not erased: late clearings and refunds find the account open. */
  ERASURE_WAIT_DAYS: z.coerce.number().int().min(0).max(540).default(30),
  /** Days for which idempotency keys of requests are kept. A repeat after that counts as a new request. */
  RETENTION_IDEMPOTENCY_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
} as const;

export type CardConfig = z.output<z.ZodObject<typeof configShape>>;
