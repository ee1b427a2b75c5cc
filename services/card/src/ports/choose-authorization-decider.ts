import { ConfigError } from '@florin/rpc/config';
import type { CardConfig } from '../config.ts';
import type { AuthorizationDecider } from './authorization-decider.ts';
import { createHttpAuthorizationDecider } from './http-authorization-decider.ts';
import { isPrivateUrl } from './private-url.ts';

type Surroundings = { now: () => Date; defer: (release: () => unknown) => void };

/**
 * The external decider that the configuration names; undefined for none.
 * @throws ConfigError when it has a URL and no key, or a URL outside the sandbox that is not private
 */
export const chooseAuthorizationDecider = (
  { SANDBOX, DECIDER_URL: url, DECIDER_SECRET: secret }: Pick<CardConfig, 'SANDBOX' | 'DECIDER_URL' | 'DECIDER_SECRET'>,
  { now, defer }: Surroundings,
): AuthorizationDecider | undefined => {
  if (url === undefined) return undefined;
  if (secret === undefined) throw new ConfigError('DECIDER_SECRET: is required with DECIDER_URL');
  if (!SANDBOX && !isPrivateUrl(url)) throw new ConfigError('DECIDER_URL: must be an https URL outside the sandbox');
  const decider = createHttpAuthorizationDecider({ url, secret, now });
  defer(decider.close);
  return decider;
};
