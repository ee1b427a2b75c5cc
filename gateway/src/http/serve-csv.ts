import { CodedError } from '@florin/rpc/errors';
import type { Request, Response } from 'express';
import { subjectOf } from './admit.ts';
import type { CsvForm, Route } from './define-route.ts';
import { drained } from './drained.ts';
import { callOf, hangUpSignal, type Prepared } from './run-handler.ts';
import type { Serving } from './serving.ts';

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

/** A reader that has not read for this long loses its connection, because a table occupies one of few slots. */
const PATIENCE_MS = 30_000;

/** Reports whether the caller prefers CSV to JSON (RFC 9110, section 12.5.1). Without a preference it is JSON. */
export const prefersCsv = (request: Request): boolean => request.accepts(['application/json', 'text/csv']) === 'text/csv';

const writeHead = (response: Response, fileName: string): void => {
  response.statusCode = 200;
  // RFC 7111, section 2.2: the first row names the columns.
  response.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present');
  response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
  response.setHeader('Cache-Control', 'no-store');
};

/**
 * Serves the CSV form of a route, one page of rows at a time and at the reader's pace. A failure before the first page is an error
 * response. A later one breaks the connection, so that no client takes a part for the table. A caller can have one table at a time.
 * @throws CodedError RATE_LIMITED, SERVICE_UNAVAILABLE and the codes that the route and the services behind it raise
 */
export const serveCsv = async (
  route: Route,
  csv: CsvForm<Parameters<Route['handler']>[0], Parameters<Route['handler']>[1]>,
  request: Request,
  response: Response,
  serving: Serving,
  { input, ...who }: Prepared,
): Promise<void> => {
  const { caller } = who;
  if (caller === undefined) throw new CodedError('UNAUTHORIZED');
  const release = serving.tables.take(subjectOf(caller));
  const hangUp = hangUpSignal(route, response);
  const pages = csv.pages(input, callOf(request, response, serving, who, hangUp))[Symbol.asyncIterator]();
  try {
    let page = await pages.next();
    writeHead(response, csv.fileName(input));
    response.write(formatCsv([csv.columns]));
    for (; page.done !== true && request.method !== 'HEAD'; page = await pages.next()) {
      if (response.write(formatCsv(page.value)) || (await drained(response, hangUp, PATIENCE_MS))) continue;
      response.destroy();
      return;
    }
    response.end();
  } finally {
    release();
    await pages.return?.();
  }
};
