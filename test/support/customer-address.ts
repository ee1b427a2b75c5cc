import { randomBytes } from 'node:crypto';
import { type ApiClient, withCall } from './api-client.ts';

/** Variable of a gateway that takes these addresses for the clients'. */
export const BEHIND_PROXY = { TRUST_PROXY: '1' } as const;

/**
 * An address that nobody else has: of a private IPv6 network with 48 random bits (RFC 4193). Limits count a /56, which it does not share, and all
 * tests share one Redis: of random IPv4 addresses, two of some hundreds would be equal too often.
 */
export const newAddress = (): string =>
  `fd${randomBytes(6)
    .toString('hex')
    .replace(/^(..)(.{4})(.{4})(..)$/, '$1:$2:$3:$400')}::1`;

const from = (api: ApiClient, addressOf: () => string): ApiClient =>
  withCall((method, path, options = {}) =>
    api.request(method, path, { ...options, headers: { 'x-forwarded-for': addressOf(), ...options.headers } }),
  );

/**
 * The same client behind an address of its own, as the proxy in front of a gateway states it (`TRUST_PROXY`): codes by e-mail are limited per address,
 * and everybody here comes from the same one.
 */
export const fromOwnAddress = (api: ApiClient): ApiClient => {
  const address = newAddress();
  return from(api, () => address);
};

/** The same for a client that speaks for many people: every request has another address. */
export const fromManyAddresses = (api: ApiClient): ApiClient => from(api, newAddress);

/** The same for a typed client: a `fetch` from an address of its own. */
export const fetchFromOwnAddress = () => {
  const address = newAddress();
  return (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('x-forwarded-for', address);
    return fetch(url, { ...init, headers });
  };
};
