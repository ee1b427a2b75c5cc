import { auditShape } from '@florin/data/audit';
import { fieldShape } from '@florin/data/encryption';
import { storeShape } from '@florin/data/store';
import { flag, httpUrl, json, masterKey, serviceShape } from '@florin/rpc/config';
import { mailShape } from '@florin/rpc/mail';
import { z } from 'zod';

/** The push services of the browsers that people use: Chrome and Edge, Firefox, Safari, and Edge of earlier versions. */
const PUSH_SERVICES = 'fcm.googleapis.com,updates.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com';

const HOST_PATTERN = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** Environment variables of the notifications service, beside those of every service. */
export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...auditShape,
  ...fieldShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_notifications'),
  /** Events service, whose feeds it reads. */
  EVENTS_URL: httpUrl,
  /** Identity service: publishes the keys that verify user tokens, and knows the users' e-mail addresses. */
  IDENTITY_URL: httpUrl,
  /** Card service: knows the payments. */
  CARD_URL: httpUrl,
  /** Threeds service: knows the challenges. */
  THREEDS_URL: httpUrl,
  /** The tenants, as identity reads them: their feeds are read. */
  PARTNERS: json(z.array(z.object({ id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/) })).min(1)).default([{ id: 'florin' }]),
  /** Private key of Web Push (VAPID, RFC 8292): a number of the curve P-256, 32 bytes in base64url. With another key all devices must subscribe anew. Unset: nothing is pushed. */
  VAPID_KEY: masterKey.optional(),
  /** Whom push services turn to, a `mailto:` or `https:` URL. Required with VAPID_KEY outside the sandbox. */
  VAPID_SUBJECT: z
    .string()
    .regex(/^(?:mailto:|https:\/\/)\S+$/, 'must be a mailto: or https: URL')
    .optional(),
  /** Hosts of push services, separated by commas; `*.` stands for any hosts below a name. Nothing is sent to others. */
  PUSH_HOSTS: z
    .string()
    .default(PUSH_SERVICES)
    .transform((text) => text.split(',').map((part) => part.trim().toLowerCase()))
    .refine((hosts) => hosts.every((host) => HOST_PATTERN.test(host)), 'must be names of hosts, separated by commas'),
  /** Lets subscriptions name loopback addresses, also by http, for a push service on the same machine. With SANDBOX=true only. Default: false. */
  PUSH_ALLOW_LOOPBACK: flag.default(false),
  /** Base URL of the cardholder's app, which mails link to. Unset: they have no link. */
  APP_URL: httpUrl.optional(),
  /** Mail server, `smtp://user:password@host:587` or `smtps://…`. Default: nothing is mailed. */
  SMTP_URL: mailShape.SMTP_URL,
  /** Sender of mails, `Name <address>`; required with SMTP_URL. */
  MAIL_FROM: mailShape.MAIL_FROM,
} as const;

export type NotificationsConfig = z.output<z.ZodObject<typeof configShape>>;
