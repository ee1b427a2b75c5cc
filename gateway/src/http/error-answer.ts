import { CodedError, type ErrorCode, toCodedError } from '@florin/rpc/errors';
import { statusOf } from './declared-codes.ts';
import type { Route } from './define-route.ts';

/** The two error shapes of the specification (7.1). There are no others. */
export type ErrorBody =
  | { success: false; error: string }
  | { kind: 'validation'; success: false; error: { name: 'ValidationError'; message: string } };

export type ErrorAnswer = { status: number; body: ErrorBody; headers: Readonly<Record<string, string>> };

/** Used when the raised limit does not state how long to wait. */
const DEFAULT_RETRY_AFTER_SECONDS = '60';

/** Errors of express's body parser, by their type. */
const BODY_FAULTS: Readonly<Record<string, ErrorCode>> = {
  'entity.parse.failed': 'MALFORMED_BODY',
  'entity.verify.failed': 'MALFORMED_BODY',
  'request.size.invalid': 'MALFORMED_BODY',
  'request.aborted': 'MALFORMED_BODY',
  'entity.too.large': 'PAYLOAD_TOO_LARGE',
  'encoding.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
  'charset.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
};

/** Converts an error thrown while a request was served into a coded error. Unknown errors become INTERNAL_ERROR. */
export const toRequestError = (thrown: unknown): CodedError => {
  if (typeof thrown !== 'object' || thrown === null || thrown instanceof CodedError) return toCodedError(thrown);
  const type = 'type' in thrown && typeof thrown.type === 'string' ? BODY_FAULTS[thrown.type] : undefined;
  if (type !== undefined) return new CodedError(type, { cause: thrown });
  // The router decodes path parameters and throws when it cannot.
  if (thrown instanceof URIError) return new CodedError('VALIDATION_FAILED', { message: 'path: must be valid percent-encoding' });
  return toCodedError(thrown);
};

const headersOf = (error: CodedError, status: number): Record<string, string> => {
  // RFC 9110, section 11.6.1: a 401 response names the accepted scheme.
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' };
  if (status === 429) {
    const seconds = error.metadata['retryAfterSeconds'] ?? '';
    return { 'Retry-After': /^\d{1,6}$/.test(seconds) ? seconds : DEFAULT_RETRY_AFTER_SECONDS };
  }
  return {};
};

/** The response to a coded error. Only the message of a validation error is sent; it names fields and never contains values. */
export const errorAnswer = (error: CodedError, route?: Pick<Route, 'statusOf'>): ErrorAnswer => {
  const status = statusOf(error.code, route);
  const body: ErrorBody =
    error.code === 'VALIDATION_FAILED'
      ? { kind: 'validation', success: false, error: { name: 'ValidationError', message: error.message } }
      : { success: false, error: error.code };
  return { status, body, headers: headersOf(error, status) };
};
