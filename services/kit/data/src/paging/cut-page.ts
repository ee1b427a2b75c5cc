/** Rows of a page, and where the next one starts; empty when there is none. */
export type Page<R> = { rows: R[]; nextCursor: string };

/**
 * Makes a page of what was found.
 * @param found up to one row more than `limit`: the one too many says that there is a next page
 */
export const cutPage = <R>(found: readonly R[], limit: number, cursorOf: (last: R) => string): Page<R> => {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > limit && last !== undefined ? cursorOf(last) : '' };
};
