import { LRUCache } from 'lru-cache';

/** A verified caller and the expiry of its token. */
export type Verified<C> = { caller: C; expiresAt: Date };

/** Maximum number of tokens remembered per process: a few megabytes. */
const MAX_TOKENS = 10_000;

/** Maximum time a token is remembered, so that a withdrawn key stops being accepted within this time. */
const MAX_AGE_MS = 60_000;

/**
 * Caches verified tokens, because checking a signature costs more than most of the calls that it protects. Only successful
 * verifications are cached, keyed by the exact token, for at most a minute and never past the token's expiry. A full cache evicts
 * the least recently used token.
 * @param verify rejects an invalid token; the rejection is passed on and not cached
 */
export const rememberVerified = <C>(verify: (token: string) => Promise<Verified<C>>, now: () => Date): ((token: string) => Promise<C>) => {
  const remembered = new LRUCache<string, { caller: C; until: number }>({ max: MAX_TOKENS });
  return async (token) => {
    const time = now().getTime();
    const known = remembered.get(token);
    if (known !== undefined && time < known.until) return known.caller;
    remembered.delete(token);
    const { caller, expiresAt } = await verify(token);
    remembered.set(token, { caller, until: Math.min(expiresAt.getTime(), time + MAX_AGE_MS) });
    return caller;
  };
};
