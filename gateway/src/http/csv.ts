const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** What makes a spreadsheet take a cell for a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell as RFC 4180 (section 2.5 to 2.7) writes it. A text that a spreadsheet would run gets an apostrophe; a number stays one. */
const toCell = (text: string): string => {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

/** Rows as CSV: commas, CRLF after each row, quotes where they are needed (RFC 4180). */
export const formatCsv = (rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
