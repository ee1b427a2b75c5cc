import type { Metrics } from '@florin/rpc/metrics';
import type { Logger } from '@florin/rpc/observe';
import { idsOf, recordedTraceId, type Span, type Tracing } from '@florin/rpc/tracing';
import type { RequestHandler } from 'express';
import { contextOf } from '../http/request-context.ts';

/** The status of a request whose client disconnected before the response began (nginx's convention). It is not sent. */
const CLIENT_CLOSED_REQUEST = 499;

/** Names a span by its route, which is known only after it began. */
const describe = (span: Span, { method, route, status }: { method: string; route: string; status: number }): Span =>
  span.isRecording()
    ? span.updateName(`${method} ${route}`).setAttributes({ 'http.route': route, 'http.response.status_code': status })
    : span;

const faultOf = (status: number): string | undefined => (status >= 500 ? String(status) : undefined);

/**
 * Measures each request, ends its span, and logs one line for it, with the route's path template instead of the URL, and without query and body, which contain addresses,
 * codes and tokens.
 */
export const createAccessLog =
  (
    logger: Logger,
    { metrics, tracing }: { metrics: Pick<Metrics, 'requestServed'> | undefined; tracing: Tracing | undefined },
  ): RequestHandler =>
  (request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      const { served, route, userId } = contextOf(response);
      const fields = {
        ...idsOf(served),
        method: request.method,
        route: route?.path ?? 'none',
        status: response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST,
        ms: Math.round((performance.now() - started) * 10) / 10,
        ...(userId === undefined ? {} : { userId }),
        // The client disconnected before the response was complete.
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      metrics?.requestServed(fields.method, fields.route, fields.status, fields.ms, recordedTraceId(served.span));
      if (served.span !== undefined) tracing?.end(describe(served.span, fields), { code: faultOf(fields.status) });
      logger.info(fields, 'request');
      served.end();
    });
    next();
  };
