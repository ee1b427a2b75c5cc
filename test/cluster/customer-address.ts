import { randomInt } from 'node:crypto';
import { type ApiClient, withCall } from '../support/api-client.ts';

/**
 * The same client behind an address of its own, as the proxy in front of a gateway states it (`TRUST_PROXY`): codes by e-mail are limited per address,
 * and everybody here comes from the same one.
 */
export const fromOwnAddress = (api: ApiClient): ApiClient => {
  const address = ['10', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.');
  return withCall((method, path, options = {}) =>
    api.request(method, path, { ...options, headers: { 'x-forwarded-for': address, ...options.headers } }),
  );
};
