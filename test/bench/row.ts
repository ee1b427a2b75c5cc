/** One measured figure. `peer` names the reference measured in the same run; `ratio` is the value divided by that of the peer. */
export type Row = { name: string; value: number; unit: string; peer?: string; ratio?: number };

const COLUMNS = ['name', 'value', 'unit', 'peer', 'ratio'] as const;

const text = (row: Row, column: (typeof COLUMNS)[number]): string => {
  const value = row[column];
  if (value === undefined) return '';
  if (column === 'ratio') return (value as number).toFixed(3);
  return typeof value === 'number' ? value.toLocaleString('en-US', { maximumFractionDigits: 1 }) : value;
};

/** Formats one row, for a report while others are still being measured. */
export const rowText = (row: Row): string => {
  const { name, unit, peer, ratio } = row;
  return `${name}: ${text(row, 'value')} ${unit}${ratio === undefined ? '' : `, ${ratio.toFixed(3)} of ${peer ?? 'its peer'}`}`;
};

/** Formats rows as a table with aligned columns. */
export const printTable = (rows: readonly Row[]): string => {
  const cells = [COLUMNS.map(String), ...rows.map((row) => COLUMNS.map((column) => text(row, column)))];
  const widths = COLUMNS.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  const isNumber = (index: number): boolean => COLUMNS[index] === 'value' || COLUMNS[index] === 'ratio';
  const lines = cells.map((line) =>
    line
      .map((cell, index) => (isNumber(index) ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
};

/** Returns the median; NaN for no values. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

/** Returns the percentile by nearest rank, for example the p99 with a share of 0.99; NaN for no values. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};
