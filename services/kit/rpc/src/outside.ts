import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { processEnvironment } from './config/index.ts';

/** Reports whether Node.js was told to take the proxies of its environment, as its own `fetch` then does. */
const takesProxies = (): boolean => processEnvironment()['NODE_USE_ENV_PROXY'] === '1';

/** Opens the connections to systems outside of the platform: with `NODE_USE_ENV_PROXY=1` through the proxy of HTTPS_PROXY, to hosts that are not in NO_PROXY. */
export const createOutsideAgent = (options: Agent.Options): Dispatcher =>
  takesProxies() ? new EnvHttpProxyAgent(options) : new Agent(options);

/** Returns the proxy through which a host outside is reached by other protocols than HTTP, by the rules of `createOutsideAgent`. */
export const outsideProxyOf = (host: string): string | undefined => {
  const { HTTPS_PROXY: proxy, NO_PROXY: direct = '' } = processEnvironment();
  const isDirect = direct.split(/[\s,]+/).some((name) => name !== '' && `.${host}`.endsWith(`.${name.replace(/^\*?\./, '')}`));
  return takesProxies() && proxy !== undefined && proxy !== '' && !isDirect ? proxy : undefined;
};
