/**
 * Reads rows in the order of their ids, a limited number at a time, and from the first one again after the last: a row on which nothing can be done
 * keeps no other waiting.
 * @param page returns up to `limit` rows whose ids come after `after`
 */
export const createTurns = <T>(
  limit: number,
  page: (after: string, limit: number) => Promise<readonly T[]>,
  idOf: (row: T) => string,
): (() => Promise<readonly T[]>) => {
  let after = '';
  return async () => {
    const rows = await page(after, limit);
    const last = rows.at(-1);
    after = last === undefined || rows.length < limit ? '' : idOf(last);
    return rows;
  };
};
