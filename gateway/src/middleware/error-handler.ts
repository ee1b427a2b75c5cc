import { type CodedError, ERRORS } from '@florin/rpc/errors';
import type { ErrorRequestHandler, Request, Response } from 'express';
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

/** A read that failed because the client disconnected and its calls were cancelled. The access log records it. */
const isCancelledRead = ({ method }: Request, response: Response, { code }: CodedError): boolean =>
  response.closed && code === 'SERVICE_UNAVAILABLE' && (method === 'GET' || method === 'HEAD');

/** Adds a limit of a service, as opposed to the gateway's own, to the RateLimit list. */
const appendServiceLimit = (response: Response, retryAfter: string): void => {
  response.append('RateLimit', `"operation"; r=0; t=${retryAfter}`);
};

/** Ends a failed request: sends one of the two error shapes and logs the cause. */
export const createErrorHandler =
  (config: { VALIDATE_ANSWERS: boolean }): ErrorRequestHandler =>
  // Express recognizes an error handler by its four parameters.
  (thrown, request, response, _next) => {
    const context = contextOf(response);
    const { route } = context;
    const raised = toRequestError(thrown);
    const error = config.VALIDATE_ANSWERS ? declared(raised, response) : raised;
    context.errorCode = error.code;
    if (isCancelledRead(request, response, error)) return;
    if (ERRORS[error.code].http >= 500) context.logger.error({ error: error.code, err: error }, 'request failed');
    else context.logger.debug({ error: error.code }, 'request rejected');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const answer = errorAnswer(error, route, request.get('authorization'));
    const retryAfter = answer.headers['Retry-After'];
    if (answer.status === 429 && retryAfter !== undefined && !response.hasHeader('Retry-After')) appendServiceLimit(response, retryAfter);
    sendJson(response, answer);
  };
