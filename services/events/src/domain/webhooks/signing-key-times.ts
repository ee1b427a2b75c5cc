const DAY_MS = 24 * 60 * 60 * 1000;

/** A key is published for so long before it signs, so that copies of the key set have it. */
const ANNOUNCED_MS = DAY_MS;

/** How long a key signs. */
const SIGNS_MS = 90 * DAY_MS;

/** A key is published for so long after it has signed, so that what waits at a receiver can be verified. */
const KEPT_MS = 7 * DAY_MS;

type Timed = { createdAt: Date };

/** Keys in the order in which they were made. The first one signs at once, because nothing else could. */
const beginsAt = (keys: readonly Timed[], index: number): number =>
  index === 0 ? Number.NEGATIVE_INFINITY : (keys[index]?.createdAt.getTime() ?? 0) + ANNOUNCED_MS;

/** The key that signs: the newest one that was announced for long enough. */
export const signingKey = <K extends Timed>(keys: readonly K[], now: Date): K | undefined =>
  keys.findLast((_key, index) => beginsAt(keys, index) <= now.getTime());

/** The keys that verify what is being signed, was signed lately, or will be signed soon, the newest first. */
export const publishedKeys = <K extends Timed>(keys: readonly K[], now: Date): K[] =>
  keys.filter((_key, index) => index === keys.length - 1 || beginsAt(keys, index + 1) + KEPT_MS > now.getTime()).toReversed();

/** Reports whether it is time for another key. */
export const needsKey = (keys: readonly Timed[], now: Date): boolean => {
  const newest = keys.at(-1);
  return newest === undefined || newest.createdAt.getTime() + SIGNS_MS <= now.getTime();
};
