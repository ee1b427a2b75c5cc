import type { Metrics } from '@florin/rpc/metrics';
import type { Logger } from '@florin/rpc/observe';
import type { RequestHandler } from 'express';
import { contextOf } from '../http/request-context.ts';

/** The status of a request whose client disconnected before the response began (nginx's convention). It is not sent. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * Measures each request and logs one line for it, with the route's path template instead of the URL, and without query and body, which contain addresses,
 * codes and tokens.
 */
export const createAccessLog =
  (logger: Logger, metrics: Pick<Metrics, 'requestServed'> | undefined): RequestHandler =>
  (request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      const { requestId, route, userId } = contextOf(response);
      const fields = {
        requestId,
        method: request.method,
        route: route?.path ?? 'none',
        status: response.headersSent ? response.statusCode : CLIENT_CLOSED_REQUEST,
        ms: Math.round((performance.now() - started) * 10) / 10,
        ...(userId === undefined ? {} : { userId }),
        // The client disconnected before the response was complete.
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      metrics?.requestServed(fields.method, fields.route, fields.status, fields.ms);
      logger.info(fields, 'request');
    });
    next();
  };
