const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Characters that make a spreadsheet treat a cell as a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;

/** Formats a cell (RFC 4180, sections 2.5 to 2.7). Text that a spreadsheet would evaluate is prefixed with an apostrophe; numbers are not. */
const toCell = (text: string): string => {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** Formats rows as CSV: commas, CRLF after each row, quotes where needed (RFC 4180). */
export const formatCsv = (rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
