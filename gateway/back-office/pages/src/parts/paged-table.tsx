import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { ListIcon } from '@florin/ui/parts/icons.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { type Paged, useReadOn } from '../api/use-read-on.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { Table, type TableProps } from './table.tsx';

type PagedTableProps<Answer, Row> = Omit<TableProps<Row>, 'rows'> & {
  query: Paged<Answer> & { isPending: boolean; isFetchingNextPage: boolean; refetch: () => unknown };
  rowsOf: (answer: Answer) => readonly Row[];
  /** The text instead of rows. */
  none: string;
};

/** A table that is read a page at a time, as far as the marked row, or until it is clear that the row is not among the first pages. */
export const PagedTable = <Answer, Row>({ query, rowsOf, none, ...table }: PagedTableProps<Answer, Row>) => {
  const { t } = useTranslator();
  const rows = query.data?.pages.flatMap(rowsOf);
  const { marked, keyOf } = table;
  const isMissed = marked !== undefined && rows?.some((row) => keyOf(row) === marked) === false;
  const { isFetchingNextPage, error, fetchNextPage, hasNextPage } = query;
  const goesOn = useReadOn(query, isMissed);
  return (
    <>
      {query.isPending ? <SkeletonRows /> : null}
      <Failure error={error} onRetry={() => void query.refetch()} />
      {isMissed && !goesOn ? (
        <p className="notice" role="status">
          {hasNextPage ? t('office.item_not_found', { count: rows.length }) : t('office.item_gone')}
        </p>
      ) : null}
      {rows?.length === 0 ? <Empty icon={<ListIcon />} title={none} /> : null}
      {rows === undefined || rows.length === 0 ? null : <Table {...table} rows={rows} />}
      {hasNextPage ? (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('app.more')}
        </Button>
      ) : null}
    </>
  );
};
