/**
 * Works on items in turn until `closed`. One that fails does not keep the others waiting.
 * @throws the first failure, at the end
 */
export const workOnEach = async <T>(items: readonly T[], closed: () => boolean, work: (item: T) => Promise<void>): Promise<void> => {
  const failures: unknown[] = [];
  for (const item of items) {
    if (closed()) break;
    await work(item).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
};
