import { ConfigError } from '@florin/rpc/config';
import type { CardConfig } from '../config.ts';
import type { AuthorizationDecider } from './authorization-decider.ts';
import { createHttpAuthorizationDecider } from './http-authorization-decider.ts';

type Surroundings = { now: () => Date; defer: (release: () => unknown) => void };

/**
 * The external decider that the configuration names; undefined for none.
 * @throws ConfigError when it has a URL and no key
 */
export const chooseAuthorizationDecider = (
  { DECIDER_URL: url, DECIDER_SECRET: secret }: Pick<CardConfig, 'DECIDER_URL' | 'DECIDER_SECRET'>,
  { now, defer }: Surroundings,
): AuthorizationDecider | undefined => {
  if (url === undefined) return undefined;
  if (secret === undefined) throw new ConfigError('DECIDER_SECRET: is required with DECIDER_URL');
  const decider = createHttpAuthorizationDecider({ url, secret, now });
  defer(decider.close);
  return decider;
};
