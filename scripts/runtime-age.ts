const DAY_MS = 24 * 60 * 60 * 1000;

/** Days that a later release of the runtime may have been in the registry. Security releases of Node.js are what later ones are. */
const MAX_DAYS = 90;

const partsOf = (version: string): number[] => version.split('.').map(Number);

/** Orders versions without pre-release tags. */
const compare = (one: string, other: string): number => {
  const [a, b] = [partsOf(one), partsOf(other)];
  return [0, 1, 2].map((at) => (a[at] ?? 0) - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
};

/**
 * Finds the oldest release of the same major version that is later than the pinned one and has been in the registry for more than 90 days.
 * @param published when each version was published (ISO 8601), by version
 * @returns undefined if the pinned version is recent enough
 */
export const findMissedRelease = (pinned: string, published: Readonly<Record<string, string>>, now: Date): string | undefined =>
  Object.entries(published)
    .filter(([version]) => /^\d+\.\d+\.\d+$/.test(version) && partsOf(version)[0] === partsOf(pinned)[0] && compare(version, pinned) > 0)
    .filter(([, at]) => now.getTime() - Date.parse(at) > MAX_DAYS * DAY_MS)
    .map(([version]) => version)
    .sort(compare)[0];
