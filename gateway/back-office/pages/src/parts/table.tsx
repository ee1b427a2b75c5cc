import type { ReactNode } from 'react';

import { useTranslator } from '../i18n/i18n.ts';

export type Column<Row> = {
  /** A space for a column of buttons. */
  head: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and actions stand at the end of their column. */
  end?: boolean;
};

export type TableProps<Row> = { caption: string; columns: readonly Column<Row>[]; rows: readonly Row[]; keyOf: (row: Row) => string };

/** A table; on a phone each row is a list of facts, with the heads of the columns as their names. */
export const Table = <Row,>({ caption, columns, rows, keyOf }: TableProps<Row>) => {
  const { t } = useTranslator();
  return (
    <table className="table">
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
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, cell, end = false }) => (
              <td key={head} data-head={head} className={end ? 'cell-end' : undefined}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
