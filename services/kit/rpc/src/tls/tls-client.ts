import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import type { Tls } from './tls-files.ts';

const CONNECT_TIMEOUT_MS = 2000;

/** Creates the connector for other processes of the platform: with the current certificates, or in cleartext without `tls`. */
export const createConnector = (tls: Tls | undefined): buildConnector.connector => {
  const plain = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  if (tls === undefined) return plain;
  let material = tls.current();
  let connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...material });
  return (options, callback) => {
    if (options.protocol !== 'https:') {
      callback(new Error('with TLS configured, the address of the other process must be https'), null);
      return;
    }
    if (tls.current() !== material) {
      material = tls.current();
      connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...material });
    }
    connector(options, callback);
  };
};

/** A `fetch` for documents of other processes of the platform. */
export type PlatformFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Creates a `fetch` that uses the certificates of this process, or cleartext without `tls`. */
export const createPlatformFetch = (tls: Tls | undefined): PlatformFetch => {
  if (tls === undefined) return (url, init) => fetch(url, init);
  const dispatcher = new Agent({ connect: createConnector(tls) });
  return (url, init) => undiciFetch(url, { ...init, dispatcher } as Parameters<typeof undiciFetch>[1]) as unknown as Promise<Response>;
};
