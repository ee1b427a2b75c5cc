import type { Request, Response } from 'express';
import { formatCsv } from './csv.ts';
import type { CsvForm, Route } from './define-route.ts';
import { callOf, hangUpSignal, type Prepared } from './run-handler.ts';
import { sendText } from './send.ts';
import type { Serving } from './serving.ts';

/** Whether the caller prefers CSV to JSON (RFC 9110, section 12.5.1). Without a preference it is JSON. */
export const prefersCsv = (request: Request): boolean => request.accepts(['application/json', 'text/csv']) === 'text/csv';

/**
 * Serves the CSV form of a route. Nothing is sent before all rows are loaded, so a failure is an error response and never part of a table.
 * @throws CodedError the codes that the route and the services behind it raise
 */
export const serveCsv = async (
  route: Route,
  csv: CsvForm<Parameters<Route['handler']>[0], Parameters<Route['handler']>[1]>,
  request: Request,
  response: Response,
  serving: Serving,
  { input, ...who }: Prepared,
): Promise<void> => {
  const rows = await csv.rows(input, callOf(request, response, serving, who, hangUpSignal(route, response)));
  sendText(response, {
    status: 200,
    // RFC 7111, section 2.2: the first row names the columns.
    type: 'text/csv; charset=utf-8; header=present',
    text: formatCsv(rows),
    headers: { 'Content-Disposition': `attachment; filename="${csv.fileName}"` },
  });
};
