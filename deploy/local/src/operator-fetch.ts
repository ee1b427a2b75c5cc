import { createLogger } from '@florin/rpc/observe';
import { createPlatformFetch, openTls, type PlatformFetch } from '@florin/rpc/tls';
import { certificateFiles } from './certificates.ts';

/** A `fetch` for the operator's commands: with the operator's certificate where the service at `url` speaks TLS. */
export const operatorFetch = (dataDir: string, url: string): PlatformFetch => {
  if (!url.startsWith('https:')) return createPlatformFetch(undefined);
  const { cert, key, ca } = certificateFiles(dataDir, 'operator');
  return createPlatformFetch(openTls({ TLS_CERT: cert, TLS_KEY: key, TLS_CA: ca }, createLogger('operator', 'silent')));
};
