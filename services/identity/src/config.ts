import { auditShape } from '@florin/data/audit';
import { fieldShape } from '@florin/data/encryption';
import { storeShape } from '@florin/data/store';
import { chainShape } from '@florin/evm/chain';
import { httpUrl, json, serviceShape, versionedKeys } from '@florin/rpc/config';
import { mailShape } from '@florin/rpc/mail';
import { z } from 'zod';
import { countriesSchema, DEFAULT_COUNTRIES } from './domain/countries.ts';
import { partnersSchema } from './domain/partners.ts';
import { DEFAULT_QUESTIONS, questionsSchema } from './domain/source-of-funds.ts';
import { termsSchema } from './domain/terms.ts';

const token = z.string().min(1).max(4096);

/** Environment of the identity service. */
export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...auditShape,
  ...fieldShape,
  ...chainShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_identity'),
  /** URL of the ledger service. */
  LEDGER_URL: httpUrl,
  /** URL of the card service. */
  CARD_URL: httpUrl,
  /** URL of the 3-D Secure service. */
  THREEDS_URL: httpUrl,
  /** URL of the vault. */
  VAULT_URL: httpUrl,
  /** URL of the notifications service, where an erasure removes devices too. Unset: there is none. */
  NOTIFICATIONS_URL: httpUrl.optional(),
  /**
   * Keys that encrypt stored secrets and from which the keys of tokens and codes are derived, `[{"id":"2","key":"<32 bytes in base64url>"},…]`;
   * without them every session ends. The first one encrypts, all of them decrypt, and stored secrets are encrypted anew with the first one
   * while the service runs.
   */
  IDENTITY_MASTER_KEYS: versionedKeys,
  /** EIP-155 id of the chain that sign-in messages name. */
  CHAIN_ID: z.coerce.number().int().positive().max(4_294_967_295).default(100),
  /** Tenants: `[{"id","name","domains":["app.example.org"]}]`. In the sandbox the first one also owns localhost. */
  PARTNERS: json(partnersSchema).default([{ id: 'florin', name: 'Florin', domains: [] }]),
  /**
   * `open`: an account is active after registration. `kyc`: only after terms, KYC and source of funds. Default in the sandbox: `open`;
   * required outside of it.
   */
  ONBOARDING: z.enum(['open', 'kyc']).optional(),
  /** Days after which a session ends, however often it is refreshed. */
  SESSION_MAX_DAYS: z.coerce.number().int().min(1).max(365).default(90),
  /** Days after an erasure until the person's e-mail address and wallets may register again. */
  RETENTION_CLAIMS_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  /** Days for which an ended session is kept. */
  RETENTION_SESSIONS_DAYS: z.coerce.number().int().min(1).max(3650).default(1),
  /** Days for which replaced answers about the source of funds are kept. The newest answers stay. */
  RETENTION_FUNDS_DAYS: z.coerce.number().int().min(1).max(36_500).default(1826),
  /** Seconds before a new wallet may approve payments and wallets. Default: 0 in the sandbox, 86400 otherwise. */
  WALLET_COOLING_SECONDS: z.coerce.number().int().min(0).max(2_592_000).optional(),
  /** Documents to accept: `[{"type","name","url","version"}]`. A new version must be accepted again. Default: examples. */
  TERMS: json(termsSchema).optional(),
  /** Questions about the source of funds: `[{"question","answers":[…]}]`. */
  SOURCE_OF_FUNDS: json(questionsSchema).default([...DEFAULT_QUESTIONS]),
  /** Mail server, `smtp://user:password@host:587` or `smtps://…`. Default in the sandbox: mails go to the outbox. */
  SMTP_URL: mailShape.SMTP_URL,
  /** Sender of mails, `Name <address>`. */
  MAIL_FROM: mailShape.MAIL_FROM,
  /** SMS provider that accepts `POST {to, text}`. Default in the sandbox: messages go to the outbox. */
  SMS_URL: httpUrl.optional(),
  /** Bearer token for the SMS provider. */
  SMS_TOKEN: token.optional(),
  /** Countries whose phone numbers get codes, ISO 3166-1 alpha-2 separated by commas. Default: the EEA, Switzerland and the United Kingdom. */
  SMS_COUNTRIES: countriesSchema.default([...DEFAULT_COUNTRIES]),
  /** KYC provider that accepts `POST /profiles` and `POST /profiles/{id}/sessions`. Default in the sandbox: every user gets a profile. */
  KYC_URL: httpUrl.optional(),
  /** Bearer token for the KYC provider. */
  KYC_TOKEN: token.optional(),
  /** Secret that the KYC provider signs its events with. Without it every event is rejected. */
  KYC_WEBHOOK_SECRET: token.min(16).optional(),
} as const;

export type IdentityConfig = z.output<z.ZodObject<typeof configShape>>;
