import type { ReactNode } from 'react';

export type Column<Row> = {
  head: string;
  cell: (row: Row) => ReactNode;
  /** Numbers and actions stand at the end of their column. */
  end?: boolean;
};

type TableProps<Row> = { caption: string; columns: readonly Column<Row>[]; rows: readonly Row[]; keyOf: (row: Row) => string };

/** A table; on a phone each row is a list of facts, with the heads of the columns as their names. */
export const Table = <Row,>({ caption, columns, rows, keyOf }: TableProps<Row>) => (
  <table className="table">
    <caption className="visually-hidden">{caption}</caption>
    <thead>
      <tr>
        {columns.map(({ head, end = false }) => (
          <th key={head} scope="col" className={end ? 'cell-end' : undefined}>
            {head}
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
