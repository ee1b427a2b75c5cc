import type { Assets } from '@florin/rpc/assets';
import { LRUCache } from 'lru-cache';
import type { LedgerConfig } from '../config.ts';
import type { Account } from '../domain/account.ts';
import type { CollectionLimits } from '../domain/admit-entry.ts';

/** Whole units of a token that may be held and not collected, where nothing else is configured. */
const DEFAULT_UNITS = 1000n;

/** Accounts remembered per process. */
const MAX_ACCOUNTS = 50_000;

/** A Safe allows collecting for the first time at most once: an account that was read before waits for this long. */
const MAX_AGE_MS = 5000;

/** Returns what bounds new holds of an account; undefined: nothing. */
export type LimitsOf = (accountId: string) => Promise<CollectionLimits | undefined>;

/** The limits of accounts whose Safes allow nothing to be collected. */
export const uncollectedLimits = (
  assets: Assets,
  { UNCOLLECTED_LIMITS, SANDBOX }: Pick<LedgerConfig, 'UNCOLLECTED_LIMITS' | 'SANDBOX'>,
): CollectionLimits =>
  new Map([
    ...(SANDBOX ? [] : assets.tokens.map(({ symbol, decimals }) => [symbol, DEFAULT_UNITS * 10n ** BigInt(decimals)] as const)),
    ...Object.entries(UNCOLLECTED_LIMITS),
  ]);

/** Returns the daily limits for collecting from an account's Safe, and for other tokens the configured ones. A hold rests on them, so recent accounts are remembered. */
export const createLimitsOf = (
  find: (accountId: string) => Promise<Pick<Account, 'collectionLimits'> | undefined>,
  uncollected: CollectionLimits,
  now: () => Date,
): LimitsOf => {
  const remembered = new LRUCache<string, { limits: CollectionLimits; until: number }>({ max: MAX_ACCOUNTS });
  return async (accountId) => {
    const time = now().getTime();
    const known = remembered.get(accountId);
    if (known !== undefined && time < known.until) return known.limits;
    const own = (await find(accountId))?.collectionLimits ?? [];
    const limits =
      own.length === 0 ? uncollected : new Map([...uncollected, ...own.map(({ token, amount }) => [token, BigInt(amount)] as const)]);
    remembered.set(accountId, { limits, until: time + MAX_AGE_MS });
    return limits;
  };
};
