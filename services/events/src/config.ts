import { auditShape } from '@florin/data/audit';
import { fieldShape } from '@florin/data/encryption';
import { storeShape } from '@florin/data/store';
import { ConfigError, flag, httpUrl, serviceShape } from '@florin/rpc/config';
import { mailShape } from '@florin/rpc/mail';
import { z } from 'zod';
import { addressRule, type Network, parseNetworks } from './guard/public-address.ts';
import type { UrlRules } from './guard/webhook-url.ts';

/** How long events stay in their feeds. */
export const retentionShape = {
  /** How many days events stay in their feed before `npm run events -- archive` moves them to files. */
  RETENTION_EVENTS_DAYS: z.coerce.number().int().min(1).max(3650).default(90),
} as const;

const toNetworks = (text: string, context: z.RefinementCtx): readonly Network[] => {
  const networks = parseNetworks(
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  );
  if (networks !== undefined) return networks;
  context.addIssue({ code: 'custom', message: 'must be networks such as 203.0.113.0/24, separated by commas' });
  return z.NEVER;
};

/** Environment variables of both processes: the service, and the one that delivers webhooks. They share a database and its keys. */
const sharedShape = {
  ...serviceShape,
  ...storeShape,
  ...auditShape,
  ...fieldShape,
  /**
   * Lets webhooks go to loopback addresses, also by http, for receivers on the same machine. With SANDBOX=true only. Default: false.
   */
  WEBHOOKS_ALLOW_LOOPBACK: flag.default(false),
  /**
   * Networks to which no webhook goes although they are public ones, separated by commas: `203.0.113.0/24,2001:db8::/32`. Name those that the operator's own machines are
   * reached at. Default: none.
   */
  WEBHOOKS_DENIED_NETWORKS: z.string().default('').transform(toNetworks),
  /** Identity service: publishes the keys that verify user tokens, and knows the partners of users. */
  IDENTITY_URL: httpUrl,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_events'),
} as const;

/** Environment variables of the events service, beside those of every service. */
export const configShape = {
  ...sharedShape,
  ...retentionShape,
  /** Ledger service: knows the users of accounts. */
  LEDGER_URL: httpUrl,
  /** True if the entries of the ledger's journal become events. */
  FOLLOW_JOURNAL: flag.default(true),
  /** Days for which attempts to deliver webhooks are listed. Default: 14. */
  WEBHOOK_ATTEMPTS_DAYS: z.coerce.number().int().min(1).max(90).default(14),
} as const;

/** Environment variables of the process that delivers webhooks, beside those of every service. */
export const webhooksShape = {
  ...sharedShape,
  /** Mail server for notices that an endpoint was disabled, `smtp://user:password@host:587` or `smtps://…`. Default: they are logged. */
  SMTP_URL: mailShape.SMTP_URL,
  /** Sender of mails, `Name <address>`; required with SMTP_URL. */
  MAIL_FROM: mailShape.MAIL_FROM,
  /**
   * HTTP proxy through which webhooks go, `http://host:port`. It resolves names, so it has to reject private addresses itself. Default: none.
   */
  WEBHOOKS_PROXY_URL: httpUrl.optional(),
  /** Seconds between two checkpoints of an endpoint that has received something new. Default: 300. */
  WEBHOOKS_CHECKPOINT_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),
} as const;

export type WebhooksConfig = z.output<z.ZodObject<typeof webhooksShape>>;
export type EventsConfig = z.output<z.ZodObject<typeof configShape>>;

/** Which URLs and addresses webhooks may have. @throws ConfigError when loopback is allowed outside the sandbox */
export const webhookRules = ({
  WEBHOOKS_ALLOW_LOOPBACK: allowsLoopback,
  WEBHOOKS_DENIED_NETWORKS: denied,
  SANDBOX,
}: Pick<EventsConfig, 'WEBHOOKS_ALLOW_LOOPBACK' | 'WEBHOOKS_DENIED_NETWORKS' | 'SANDBOX'>): UrlRules => {
  if (allowsLoopback && !SANDBOX) throw new ConfigError('WEBHOOKS_ALLOW_LOOPBACK: must not be true with SANDBOX=false');
  return { allowsLoopback, isAllowed: addressRule(allowsLoopback, denied) };
};
