import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import type { Tls } from './tls-files.ts';

const CONNECT_TIMEOUT_MS = 2000;

/** How connections to other processes of the platform are made: with the certificates of the moment, or in the clear without `tls`. */
export const createConnector = (tls: Tls | undefined): buildConnector.connector => {
  const plain = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  if (tls === undefined) return plain;
  let material = tls.current();
  let connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...material });
  return (options, callback) => {
    if (options.protocol !== 'https:') {
      callback(new Error('TLS is configured, and the address of the other process is not https'), null);
      return;
    }
    if (tls.current() !== material) {
      material = tls.current();
      connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, ...material });
    }
    connector(options, callback);
  };
};

/** `fetch` for documents of other processes of the platform, with the process's certificates where it has some. */
export type PlatformFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export const createPlatformFetch = (tls: Tls | undefined): PlatformFetch => {
  if (tls === undefined) return (url, init) => fetch(url, init);
  const dispatcher = new Agent({ connect: createConnector(tls) });
  return (url, init) => undiciFetch(url, { ...init, dispatcher } as Parameters<typeof undiciFetch>[1]) as unknown as Promise<Response>;
};
