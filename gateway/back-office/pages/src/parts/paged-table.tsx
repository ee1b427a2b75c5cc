import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { ListIcon } from '@florin/ui/parts/icons.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useTranslator } from '../i18n/i18n.ts';
import { type Column, Table } from './table.tsx';

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

type PagedTableProps<Answer, Row> = {
  caption: string;
  query: Paged<Answer>;
  rowsOf: (answer: Answer) => readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** The text instead of rows. */
  none: string;
};

/** A table that is read a page at a time. */
export const PagedTable = <Answer, Row>({ caption, query, rowsOf, columns, keyOf, none }: PagedTableProps<Answer, Row>) => {
  const { t } = useTranslator();
  const rows = query.data?.pages.flatMap(rowsOf);
  return (
    <>
      {query.isPending ? <SkeletonRows /> : null}
      <Failure error={query.error} onRetry={() => void query.refetch()} />
      {rows?.length === 0 ? <Empty icon={<ListIcon />} title={none} /> : null}
      {rows === undefined || rows.length === 0 ? null : <Table caption={caption} columns={columns} rows={rows} keyOf={keyOf} />}
      {query.hasNextPage ? (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('app.more')}
        </Button>
      ) : null}
    </>
  );
};
