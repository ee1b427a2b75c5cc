type List<Row> = { rows: readonly Row[] /** Older rows are not loaded yet. */; hasMore: boolean };

/** Merges lists, the newest row first, as far as all of them are loaded: the next page of one may have rows that are newer than the last ones of another. */
export const mergeNewest = <Row extends { createdAt: string }>(...lists: readonly List<Row>[]): Row[] => {
  const knownFrom = lists
    .map(({ rows, hasMore }) => (hasMore ? (rows.at(-1)?.createdAt ?? '') : ''))
    .reduce((one, other) => (one > other ? one : other), '');
  return lists
    .flatMap(({ rows }) => rows)
    .filter(({ createdAt }) => createdAt >= knownFrom)
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt));
};
