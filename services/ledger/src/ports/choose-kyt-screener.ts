import { ConfigError } from '@florin/rpc/config';
import { createJsonHttp } from '@florin/rpc/json-http';
import type { LedgerConfig } from '../config.ts';
import { createHttpKytScreener } from './http-kyt-screener.ts';
import type { KytScreener } from './kyt-screener.ts';
import { createSandboxKytScreener } from './sandbox-kyt-screener.ts';

/**
 * Returns the screener that `KYT` selects; undefined when an external system screens deposits and calls ResolveDeposit.
 * @param defer registers a function to run at shutdown
 * @throws ConfigError when the configuration of the screener is missing or not allowed
 */
export const chooseKytScreener = (
  config: Pick<LedgerConfig, 'SANDBOX' | 'KYT' | 'KYT_URL' | 'KYT_TOKEN' | 'KYT_TIMEOUT_MS'>,
  defer: (release: () => unknown) => void,
): KytScreener | undefined => {
  const { SANDBOX, KYT = SANDBOX ? 'sandbox' : 'off', KYT_URL: url, KYT_TOKEN: token, KYT_TIMEOUT_MS: deadlineMs } = config;
  if (KYT === 'off') return undefined;
  if (KYT === 'sandbox') {
    // A simulated verdict must not make money spendable.
    if (!SANDBOX) throw new ConfigError('KYT: sandbox needs SANDBOX=true');
    return createSandboxKytScreener();
  }
  if (url === undefined || token === undefined) throw new ConfigError('KYT_URL, KYT_TOKEN: are required with KYT=http');
  const http = createJsonHttp({ url, token, deadlineMs });
  defer(http.close);
  return createHttpKytScreener(http);
};
