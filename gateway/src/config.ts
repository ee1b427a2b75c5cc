import { flag, httpUrl, serviceShape } from '@florin/rpc/config';
import { z } from 'zod';

/** Largest request body, in bytes. A constant: the document promises it. */
export const BODY_LIMIT_BYTES = 64 * 1024;

const perMinute = z.coerce.number().int().min(1).max(10_000_000);

const ADDRESS_OR_RANGE = /^(?:loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+(?:\/\d{1,3})?)$/;

/**
 * Whose X-Forwarded-For is believed: the number of proxies in front (`1`), or their addresses (`10.0.0.0/8, loopback`).
 * Not said: nobody's, so that no caller chooses the address by which it is limited.
 */
const trustProxy = z
  .string()
  .transform((text) => (/^\d{1,2}$/.test(text) ? Number(text) : text.split(',').map((part) => part.trim())))
  .refine((value) => typeof value === 'number' || value.every((part) => ADDRESS_OR_RANGE.test(part)), 'must be a number or addresses');

/** The gateway's configuration; it has no store of its own. */
export const configShape = {
  ...serviceShape,
  IDENTITY_URL: httpUrl,
  CARD_URL: httpUrl,
  LEDGER_URL: httpUrl,
  THREEDS_URL: httpUrl,
  /** Requests a minute of one user (or, without a valid token, one IP address). */
  RATE_LIMIT_PER_MINUTE: perMinute.default(600),
  /** Requests a minute of one IP address to sign-in and verification, which others could use to guess or to annoy. */
  AUTH_RATE_LIMIT_PER_MINUTE: perMinute.default(60),
  TRUST_PROXY: trustProxy.optional(),
  /** Checks every answer against the published document before it is sent. For development and tests. */
  VALIDATE_ANSWERS: flag.default(false),
} as const;

export type GatewayConfig = z.output<z.ZodObject<typeof configShape>>;
