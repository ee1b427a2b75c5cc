import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { ListIcon } from '@florin/ui/parts/icons.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useEffect } from 'react';
import { useTranslator } from '../i18n/i18n.ts';
import { Table, type TableProps } from './table.tsx';

/** The state of a query that reads in pages. */
type Paged<Answer> = {
  data: { pages: readonly Answer[] } | undefined;
  error: unknown;
  isPending: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
};

type PagedTableProps<Answer, Row> = Omit<TableProps<Row>, 'rows'> & {
  query: Paged<Answer>;
  rowsOf: (answer: Answer) => readonly Row[];
  /** The text instead of rows. */
  none: string;
};

/** A table that is read a page at a time, as far as the marked row. */
export const PagedTable = <Answer, Row>({ query, rowsOf, none, ...table }: PagedTableProps<Answer, Row>) => {
  const { t } = useTranslator();
  const rows = query.data?.pages.flatMap(rowsOf);
  const { marked, keyOf } = table;
  const goesOn = marked !== undefined && rows?.some((row) => keyOf(row) === marked) === false && query.hasNextPage;
  const { isFetchingNextPage, error, fetchNextPage } = query;
  useEffect(() => {
    if (goesOn && !isFetchingNextPage && error === null) void fetchNextPage();
  }, [goesOn, isFetchingNextPage, error, fetchNextPage]);
  return (
    <>
      {query.isPending ? <SkeletonRows /> : null}
      <Failure error={query.error} onRetry={() => void query.refetch()} />
      {rows?.length === 0 ? <Empty icon={<ListIcon />} title={none} /> : null}
      {rows === undefined || rows.length === 0 ? null : <Table {...table} rows={rows} />}
      {query.hasNextPage ? (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('app.more')}
        </Button>
      ) : null}
    </>
  );
};
