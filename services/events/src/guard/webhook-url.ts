import { isIP } from 'node:net';
import { CodedError } from '@florin/rpc/errors';
import { type AddressRule, isLoopbackAddress } from './public-address.ts';

/** Which addresses are allowed, and whether loopback ones are, which names and http then may lead to. */
export type UrlRules = { isAllowed: AddressRule; allowsLoopback: boolean };

const MAX_LENGTH = 2000;

/** Names that are never those of public hosts (RFC 6761, RFC 6762, RFC 8375, and what networks and clusters use inside). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|svc|intranet|private|corp|home|lan|home\.arpa|test|invalid|example|onion)$/;

const forbidden = (why: string): CodedError =>
  new CodedError('WEBHOOK_URL_FORBIDDEN', { message: `url: ${why}`, metadata: { reason: why } });

/** Host of a URL, without the brackets of an IPv6 address and the dot at the end of an absolute name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/**
 * Checks the URL of an endpoint: https, a host that can be a public one, no user information and no fragment. The addresses of a name are checked when it is connected to.
 * @param allowsLoopback for a sandbox on one machine: also http to a loopback host
 * @returns the URL in its normal form
 * @throws CodedError WEBHOOK_URL_FORBIDDEN
 */
export const parseWebhookUrl = (text: string, { isAllowed, allowsLoopback }: UrlRules): string => {
  if (text.length > MAX_LENGTH) throw forbidden(`must have at most ${MAX_LENGTH} characters`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw forbidden('must be an absolute URL');
  const host = hostOf(url);
  const isLoopback = host === 'localhost' || isLoopbackAddress(host);
  if (url.protocol !== 'https:' && !(allowsLoopback && isLoopback && url.protocol === 'http:')) throw forbidden('must begin with https://');
  if (url.username !== '' || url.password !== '') throw forbidden('must not contain a user name or password');
  if (url.hash !== '' || text.includes('#')) throw forbidden('must not contain a fragment');
  if (isIP(host) === 0) {
    if (allowsLoopback && isLoopback) return url.href;
    // A name with an empty label is none, and resolvers disagree on what `localhost..` is.
    if (!host.includes('.') || host.split('.').includes('') || PRIVATE_NAME.test(host))
      throw forbidden('must name a host on the public internet');
  } else if (!isAllowed(host)) throw forbidden('must name a host on the public internet');
  return url.href;
};
