import type { RequestHandler } from 'express';
import { contextOf } from '../http/request-context.ts';

/**
 * One line per request. The route's pattern instead of its URL, and neither query nor body: those hold addresses, codes and tokens.
 */
export const accessLog: RequestHandler = (request, response, next) => {
  const started = performance.now();
  response.once('close', () => {
    const { logger, route, userId } = contextOf(response);
    const fields = {
      method: request.method,
      route: route?.path ?? 'none',
      status: response.statusCode,
      ms: Math.round((performance.now() - started) * 10) / 10,
      ...(userId === undefined ? {} : { userId }),
      // The caller hung up before the answer was written.
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    logger.info(fields, 'request');
  });
  next();
};
