import { ACCESS_TOKEN_LIFE_MS } from '@florin/rpc/auth';

/** Interval at which an instance reloads the stored keys. */
export const KEY_POLL_MS = 2000;

/**
 * Time between publishing a key and signing with it: longer than instances take to load it, than verifiers wait between two fetches of
 * the key set, and than caches may keep the set (half a minute each in the gateway and at its clients).
 */
export const PUBLISHED_AHEAD_MS = 5 * 60 * 1000;

/**
 * A key that no longer signs stays published for longer than its last token lives, with a margin for clock differences between
 * instances.
 */
export const PUBLISHED_AFTER_MS = ACCESS_TOKEN_LIFE_MS + 5 * 60 * 1000;

type Timed = { signsFrom: Date };

/**
 * Time from the creation of a key that replaces a revoked one until it signs: every instance has loaded and published it by then, twice over.
 * Verifiers fetch it when they see its first token.
 */
export const TAKEOVER_MS = 2 * KEY_POLL_MS + 1000;

/** The key that signs at `now`. @param keys oldest first */
export const signingKeyAt = <K extends Timed>(keys: readonly K[], now: Date): K | undefined =>
  // When the clock was set back before the first key, the oldest one: every verifier knows it.
  keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];

/** The key that is published and does not sign yet. */
export const pendingKeyAt = <K extends Timed>(keys: readonly K[], now: Date): K | undefined =>
  keys.find(({ signsFrom }) => signsFrom > now);

/** Revoked keys that nobody accepts any more, even from a cache. */
export const forgottenKeysAt = <K extends { revokedAt?: Date | undefined }>(keys: readonly K[], now: Date): K[] =>
  keys.filter(({ revokedAt }) => revokedAt != null && revokedAt.getTime() + PUBLISHED_AFTER_MS <= now.getTime());

/** Keys without valid tokens: their successor has signed for long enough. */
export const retiredKeysAt = <K extends Timed>(keys: readonly K[], now: Date): K[] =>
  keys.filter((_, index) => {
    const successor = keys[index + 1];
    return successor !== undefined && successor.signsFrom.getTime() + PUBLISHED_AFTER_MS <= now.getTime();
  });
