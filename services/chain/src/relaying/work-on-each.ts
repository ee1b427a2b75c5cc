import { mapBounded } from '../ports/map-bounded.ts';

/**
 * Works on items in turn, `atOnce` at a time, until `closed`. One that fails does not keep the others waiting.
 * @throws the first failure, at the end
 */
export const workOnEach = async <T>(
  items: readonly T[],
  closed: () => boolean,
  work: (item: T) => Promise<void>,
  atOnce = 1,
): Promise<void> => {
  const failures: unknown[] = [];
  await mapBounded(items, atOnce, async (item) => {
    if (!closed()) await work(item).catch((error: unknown) => failures.push(error));
  });
  if (failures.length > 0) throw failures[0];
};
