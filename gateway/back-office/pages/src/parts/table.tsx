import type { ReactNode } from 'react';

import { useTranslator } from '../i18n/i18n.ts';

export type Column<Row> = {
  /** A space for a column of buttons. */
  head: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and actions stand at the end of their column. */
  end?: boolean;
  /** In a table of two-line rows: the beginning or the end of the first line, for the first two columns, or nowhere. Default: on the second line. */
  line?: 'begin' | 'end' | 'none';
};

export type TableProps<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Key of the row to which somebody was led. */
  marked?: string | undefined;
  /** True if a row has two lines on a phone. */
  short?: boolean;
};

/** Shows a row, and moves the focus to what it leads to; a dialog above the page keeps its focus. */
const show = (row: HTMLElement | null): void => {
  row?.scrollIntoView({ block: 'center' });
  if (document.querySelector('dialog[open]') === null) row?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
};

/** A table; on a phone each row is a list of facts, with the heads of the columns as their names, or has two lines. */
export const Table = <Row,>({ caption, columns, rows, keyOf, marked, short = false }: TableProps<Row>) => {
  const { t } = useTranslator();
  return (
    <table className={short ? 'table table-short' : 'table'}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, end = false }) => (
            <th key={head} scope="col" className={end ? 'cell-end' : undefined}>
              {head === ' ' ? <span className="visually-hidden">{t('office.actions')}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = keyOf(row);
          const isMarked = key === marked;
          return (
            <tr key={key} aria-current={isMarked ? 'true' : undefined} ref={isMarked ? show : undefined}>
              {columns.map(({ head, cell, end = false, line }) => (
                <td key={head} data-head={head} data-line={line} className={end ? 'cell-end' : undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};
