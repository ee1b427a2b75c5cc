import { z } from 'zod';
import { hasDuplicates } from './has-duplicates.ts';

/** Domains that viem accepts in an EIP-4361 message: a host name with a dot, localhost, or an IPv4 address, with or without a port. */
const DOMAIN = /^(?:(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}|localhost|(?:\d{1,3}\.){3}\d{1,3})(?::\d{1,5})?$/;

const LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

const partnerSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  /** Shown in the text that wallets sign, so limited to characters that an EIP-4361 statement may contain. */
  name: z.string().regex(/^[A-Za-z0-9 .,&'()-]{1,60}$/),
  /** Domains of the partner's apps, `host` or `host:port`, matched exactly. */
  domains: z.array(z.string().toLowerCase().regex(DOMAIN)).default([]),
});

/** A tenant of the platform. */
export type Partner = z.output<typeof partnerSchema>;

export const partnersSchema = z
  .array(partnerSchema)
  .min(1)
  .refine((partners) => !hasDuplicates(partners.map(({ id }) => id)), 'must not contain the same partner id twice')
  .refine((partners) => !hasDuplicates(partners.flatMap(({ domains }) => domains)), 'must not contain the same domain twice');

/**
 * The partner that a sign-in domain belongs to, if any.
 * @param sandbox assigns localhost and 127.0.0.1 on every port to the first partner, so that an app under development can sign in
 */
export const partnerOfDomain = (partners: readonly Partner[], domain: string, sandbox: boolean): Partner | undefined =>
  partners.find(({ domains }) => domains.includes(domain)) ?? (sandbox && LOCAL.test(domain) ? partners[0] : undefined);
