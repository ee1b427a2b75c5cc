import { ACCESS_TOKEN_LIFE_MS } from '@florin/rpc/auth';

/** Pause between two looks of an instance at the stored keys. */
export const KEY_POLL_MS = 2000;

/**
 * A new key is published for so long before it signs: longer than all instances need to see it, than verifiers wait between two fetches
 * of the key set, and than the gateway and whoever it tells may keep the set (twice a minute).
 */
export const PUBLISHED_AHEAD_MS = 5 * 60 * 1000;

/** A key that signs no more stays published for longer than its last token lives, whatever the clocks of the instances disagree about. */
export const PUBLISHED_AFTER_MS = ACCESS_TOKEN_LIFE_MS + 5 * 60 * 1000;

type Timed = { signsFrom: Date };

/** The key that signs now. @param keys oldest first */
export const signingKeyAt = <K extends Timed>(keys: readonly K[], now: Date): K | undefined =>
  // Before the time of all of them (a clock that was set back) the oldest, which everybody knows.
  keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];

/** The key that is published and does not sign yet. */
export const pendingKeyAt = <K extends Timed>(keys: readonly K[], now: Date): K | undefined =>
  keys.find(({ signsFrom }) => signsFrom > now);

/** Keys of which no token can be alive any more: their successor has signed for long enough. */
export const retiredKeysAt = <K extends Timed>(keys: readonly K[], now: Date): K[] =>
  keys.filter((_, index) => {
    const successor = keys[index + 1];
    return successor !== undefined && successor.signsFrom.getTime() + PUBLISHED_AFTER_MS <= now.getTime();
  });
