import { auditShape } from '@florin/data/audit';
import { storeShape } from '@florin/data/store';
import { assetsSchema, DEFAULT_ASSETS } from '@florin/rpc/assets';
import { httpUrl, json, serviceShape } from '@florin/rpc/config';
import { z } from 'zod';

// It answers no calls of other processes, and has no use for Redis.
const { REDIS_URL: _redisUrl, REDIS_CA: _redisCa, SERVICE_TRUST: _trust, SERVICE_TRUST_FILE: _trustFile, ...processShape } = serviceShape;

/** Browsers keep passkeys by the name of a host, never by an address, and offer them over https and on `localhost` only. */
const isOfficeUrl = (text: string): boolean => {
  const { protocol, hostname, origin } = new URL(text);
  const isNamed = /[a-z]/i.test(hostname) && !hostname.startsWith('[');
  return text.replace(/\/$/, '') === origin && isNamed && (protocol === 'https:' || hostname === 'localhost');
};

/** Anybody in between can forge a provider's cleartext responses. */
const isSafeIssuer = (text: string): boolean => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
};

/** The back office's configuration. */
export const configShape = {
  ...processShape,
  ...storeShape,
  ...auditShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_back_office'),
  /**
   * URL of the back office as its operators' browsers use it, for example `https://office.example.com`: an https origin, or `http://localhost` with a port. It is an
   * origin of its own; passkeys are bound to its host.
   */
  BACK_OFFICE_URL: httpUrl
    .refine(isOfficeUrl, 'must be an https origin with a host name, or http://localhost with a port')
    .transform((text) => new URL(text).origin),
  /** Chains, currencies and tokens as JSON, as the ledger has them. */
  ASSETS: json(assetsSchema).default(DEFAULT_ASSETS),
  /** Address of the identity service. */
  IDENTITY_URL: httpUrl,
  /** Address of the card service. */
  CARD_URL: httpUrl,
  /** Address of the ledger service. */
  LEDGER_URL: httpUrl,
  /** Address of the threeds service. */
  THREEDS_URL: httpUrl,
  /** Address of the chain service. Unset: no chain is watched. */
  CHAIN_URL: httpUrl.optional(),
  /** Address of the settlement service. Unset: no books are kept between program and networks. */
  SETTLEMENT_URL: httpUrl.optional(),
  /**
   * Address of a Prometheus with the rules of [deploy/observability](../../deploy/observability/README.md), whose firing alerts the overview shows. Unset: it shows only
   * which services serve.
   */
  PROMETHEUS_URL: httpUrl.optional(),
  /** Minutes after which an unused session of an operator ends. */
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(1).max(720).default(15),
  /** Hours after which a session of an operator ends in any case. */
  SESSION_HOURS: z.coerce.number().int().min(1).max(24).default(8),
  /** Days after which the Idempotency-Key of an operator's action is deleted. A repeat after that counts as a new action. */
  RETENTION_IDEMPOTENCY_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
  /** Issuer of the OpenID provider by which operators may sign in, besides passkeys. Unset: passkeys only. */
  OIDC_ISSUER: httpUrl.refine(isSafeIssuer, 'must be https, but on localhost').optional(),
  /** The back office's client id at the provider. Its redirect URI is `/sign-in/oidc/callback` below `BACK_OFFICE_URL`. */
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  /** The client's secret at the provider. */
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /**
   * Ways to sign in at the provider (`acr` of OpenID Connect), separated by spaces, for example those with two factors: the provider is asked for them, and nobody signs in
   * who has signed in there in another way. Unset: any.
   */
  OIDC_ACR_VALUES: z
    .string()
    .regex(/^[!-~]+(?: [!-~]+)*$/, 'must be values of acr, separated by spaces')
    .optional(),
  /** Name of the provider on the page. */
  OIDC_NAME: z.string().min(1).max(80).default('your organization'),
  /**
   * Claim of the ID token that lists an operator's roles, which are then those of the back office at each sign-in. Unset: operators are invited, and have the roles
   * of their invitation.
   */
  OIDC_ROLES_CLAIM: z.string().min(1).optional(),
} as const;

export type BackOfficeConfig = z.output<z.ZodObject<typeof configShape>>;
