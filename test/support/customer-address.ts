import { randomInt } from 'node:crypto';
import { type ApiClient, withCall } from './api-client.ts';

/** Variable of a gateway that takes these addresses for the clients'. */
export const BEHIND_PROXY = { TRUST_PROXY: '1' } as const;

const newAddress = (): string => ['10', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.');

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
