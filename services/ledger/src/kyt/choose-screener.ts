import { ConfigError } from '@florin/rpc/config';
import { createJsonHttp } from '@florin/rpc/json-http';
import type { LedgerConfig } from '../config.ts';
import { createHttpScreener } from './http-screener.ts';
import { createSandboxScreener } from './sandbox-screener.ts';
import type { KytScreener } from './screener.ts';

/**
 * Who screens deposits, by `KYT`; undefined when that is somebody outside who reports with ResolveDeposit.
 * @throws ConfigError when what the choice needs is missing
 */
export const chooseScreener = (
  config: Pick<LedgerConfig, 'SANDBOX' | 'KYT' | 'KYT_URL' | 'KYT_TOKEN' | 'KYT_TIMEOUT_MS'>,
  defer: (release: () => unknown) => void,
): KytScreener | undefined => {
  const { SANDBOX, KYT = SANDBOX ? 'sandbox' : 'off', KYT_URL: url, KYT_TOKEN: token, KYT_TIMEOUT_MS: deadlineMs } = config;
  if (KYT === 'off') return undefined;
  if (KYT === 'sandbox') {
    // Money must not become spendable on the word of a stand-in.
    if (!SANDBOX) throw new ConfigError('KYT: sandbox needs SANDBOX=true');
    return createSandboxScreener();
  }
  if (url === undefined || token === undefined) throw new ConfigError('KYT_URL, KYT_TOKEN: are required with KYT=http');
  const http = createJsonHttp({ url, token, deadlineMs });
  defer(http.close);
  return createHttpScreener(http);
};
