import { type CodedError, ERRORS } from '@florin/rpc/errors';
import type { ErrorRequestHandler, Response } from 'express';
import { checkCode } from '../http/check-answer.ts';
import { errorAnswer, toRequestError } from '../http/error-answer.ts';
import { contextOf } from '../http/request-context.ts';
import { sendJson } from '../http/send.ts';

const declared = (error: CodedError, response: Response): CodedError => {
  const { route } = contextOf(response);
  if (route === undefined) return error;
  try {
    checkCode(route, error);
    return error;
  } catch (fault) {
    return toRequestError(fault);
  }
};

/** A limit of a service and not of ours: said as one more item of the RateLimit list. */
const sayServiceLimit = (response: Response, retryAfter: string): void => {
  response.append('RateLimit', `"operation"; r=0; t=${retryAfter}`);
};

/** The last step of every request that failed: one of the two shapes, and the cause to the log. */
export const createErrorHandler =
  (config: { VALIDATE_ANSWERS: boolean }): ErrorRequestHandler =>
  // Express knows an error handler by its four parameters.
  (thrown, _request, response, _next) => {
    const { route, logger } = contextOf(response);
    const raised = toRequestError(thrown);
    const error = config.VALIDATE_ANSWERS ? declared(raised, response) : raised;
    if (ERRORS[error.code].http >= 500) logger.error({ error: error.code, err: error }, 'request failed');
    else logger.debug({ error: error.code }, 'request refused');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const answer = errorAnswer(error, route);
    const retryAfter = answer.headers['Retry-After'];
    if (retryAfter !== undefined && !response.hasHeader('Retry-After')) sayServiceLimit(response, retryAfter);
    sendJson(response, answer);
  };
