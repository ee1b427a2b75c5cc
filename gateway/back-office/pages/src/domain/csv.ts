/** A cell of a table of comma-separated values (RFC 4180). What a spreadsheet would take for a formula becomes text. */
const cell = (value: string): string => `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

/** Rows of texts as comma-separated values. */
export const toCsv = (rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
