import { useEffect } from 'react';

/** The pages of a list that are read without being asked for, each a call in the audit log. */
const MAX_PAGES = 5;

/** The state of a query that reads in pages. */
export type Paged<Answer> = {
  data: { pages: readonly Answer[] } | undefined;
  error: unknown;
  isFetching: boolean;
  hasNextPage: boolean;
  fetchNextPage: () => unknown;
};

/** Reads the next pages of a list while more is wanted, up to five pages in all. @returns true until it has ended */
export const useReadOn = (query: Paged<unknown>, isWanted: boolean): boolean => {
  const { data, error, isFetching, hasNextPage, fetchNextPage } = query;
  const goesOn = isWanted && hasNextPage && (data?.pages.length ?? 0) < MAX_PAGES;
  useEffect(() => {
    if (goesOn && !isFetching && error === null) void fetchNextPage();
  }, [goesOn, isFetching, error, fetchNextPage]);
  return goesOn;
};
