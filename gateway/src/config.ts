import { flag, httpUrl, json, serviceShape } from '@florin/rpc/config';
import { z } from 'zod';

/** Largest request body, in bytes. It is a constant because the document states it. */
export const BODY_LIMIT_BYTES = 64 * 1024;

const perMinute = z.coerce.number().int().min(1).max(10_000_000);

const ADDRESS_OR_RANGE = /^(?:loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+(?:\/\d{1,3})?)$/;

/**
 * The proxies whose X-Forwarded-For is trusted: their number (`1`) or their addresses (`10.0.0.0/8, loopback`).
 * Default: none, so that callers cannot choose the address that they are limited by.
 */
const trustProxy = z
  .string()
  .transform((text) => (/^\d{1,2}$/.test(text) ? Number(text) : text.split(',').map((part) => part.trim())))
  .refine(
    (value) => typeof value === 'number' || value.every((part) => ADDRESS_OR_RANGE.test(part)),
    'must be a number of proxies or a list of addresses',
  );

const plainUrl = httpUrl.regex(/^[^?#@]+$/, 'must not have credentials, a query or a fragment');

const publicUrls = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(plainUrl).min(1));

/** The gateway's configuration. It has no store of its own. */
export const configShape = {
  ...serviceShape,
  /** Address of the identity service. */
  IDENTITY_URL: httpUrl,
  /** Address of the card service. */
  CARD_URL: httpUrl,
  /** Address of the ledger service. */
  LEDGER_URL: httpUrl,
  /** Address of the threeds service. */
  THREEDS_URL: httpUrl,
  /** Address of the vault. */
  VAULT_URL: httpUrl,
  /** Address of the chain service. Unset: accounts have no deployment, and there are no withdrawals from Safes. */
  CHAIN_URL: httpUrl.optional(),
  /** Address of the notifications service. Unset: nobody is notified, and the app does not offer it. */
  NOTIFICATIONS_URL: httpUrl.optional(),
  /** JSON-RPC node of a sandbox (`CHAIN=local`) whose faucet pays the deposits of `/sandbox/deposits`. Unset: they are on no chain. */
  SANDBOX_FAUCET_URL: httpUrl.optional(),
  /** Requests per minute of one user, or without a valid token of one IP address. */
  RATE_LIMIT_PER_MINUTE: perMinute.default(600),
  /** Requests per minute of one IP address to one gateway, of all its users together. Default: 20 times RATE_LIMIT_PER_MINUTE. */
  ADDRESS_RATE_LIMIT_PER_MINUTE: perMinute.optional(),
  /** Requests per minute of one IP address to sign-in, verification and registration, which invite guessing and abuse. */
  AUTH_RATE_LIMIT_PER_MINUTE: perMinute.default(60),
  /** The tenants, as identity reads them: their domains are the origins of web apps that may call the gateway. */
  PARTNERS: json(z.array(z.object({ domains: z.array(z.string().min(1).max(255).toLowerCase()).default([]) }))).default([]),
  /**
   * Comma-separated URLs of this API as clients use them, for example `https://api.example.com`. A DPoP proof must name one of them. Unset: the
   * scheme and the Host header of the request, which is safe only where a proxy checks the header.
   */
  PUBLIC_URL: publicUrls.optional(),
  /** Proxies whose `X-Forwarded-For` is trusted: how many stand in front of the gateway, or their addresses. Unset: none. */
  TRUST_PROXY: trustProxy.optional(),
  /** Page where people get help, which `GET /capabilities` and the document name. */
  SUPPORT_URL: httpUrl.optional(),
  /** Address where people get help, likewise. */
  SUPPORT_EMAIL: z.email().max(254).optional(),
  /** Explorer of the chain that shows a transaction at `/tx/` and its hash, for example `https://gnosisscan.io`, to which the app links. */
  EXPLORER_URL: plainUrl.optional(),
  /** Serves the cardholder's app at `/app`, and the sessions of its pages at `/app/session`. It has to be at `/app` of its origin. */
  SERVE_APP: flag.default(true),
  /** Checks every response against the OpenAPI document before it is sent. For development and tests. */
  VALIDATE_ANSWERS: flag.default(false),
} as const;

export type GatewayConfig = z.output<z.ZodObject<typeof configShape>>;
