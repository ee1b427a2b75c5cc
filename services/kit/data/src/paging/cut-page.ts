/** The rows of a page and the cursor of the next page, which is empty on the last page. */
export type Page<R> = { rows: R[]; nextCursor: string };

/**
 * Cuts a page from the rows of a query.
 * @param found up to `limit` + 1 rows; the extra row indicates that there is a next page
 */
export const cutPage = <R>(found: readonly R[], limit: number, cursorOf: (last: R) => string): Page<R> => {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > limit && last !== undefined ? cursorOf(last) : '' };
};
