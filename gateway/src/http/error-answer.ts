import { CodedError, type ErrorCode, toCodedError } from '@florin/rpc/errors';
import { statusOf } from './declared-codes.ts';
import type { Route } from './define-route.ts';

/** The two shapes of the spec (7.1). There is no third. */
export type ErrorBody =
  | { success: false; error: string }
  | { kind: 'validation'; success: false; error: { name: 'ValidationError'; message: string } };

export type ErrorAnswer = { status: number; body: ErrorBody; headers: Readonly<Record<string, string>> };

/** Said when a limit was hit and whoever raised it did not say for how long. */
const DEFAULT_RETRY_AFTER_SECONDS = '60';

/** What express and its body parser raise by themselves, as codes of ours. */
const BODY_FAULTS: Readonly<Record<string, ErrorCode>> = {
  'entity.parse.failed': 'MALFORMED_BODY',
  'entity.verify.failed': 'MALFORMED_BODY',
  'request.size.invalid': 'MALFORMED_BODY',
  'request.aborted': 'MALFORMED_BODY',
  'entity.too.large': 'PAYLOAD_TOO_LARGE',
  'encoding.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
  'charset.unsupported': 'UNSUPPORTED_MEDIA_TYPE',
};

/** Turns whatever was thrown while a request was served into a coded error; what nobody knows is INTERNAL_ERROR. */
export const toRequestError = (thrown: unknown): CodedError => {
  if (typeof thrown !== 'object' || thrown === null || thrown instanceof CodedError) return toCodedError(thrown);
  const type = 'type' in thrown && typeof thrown.type === 'string' ? BODY_FAULTS[thrown.type] : undefined;
  if (type !== undefined) return new CodedError(type, { cause: thrown });
  // The router decodes path parameters; what it cannot decode is no value that a parameter may have.
  if (thrown instanceof URIError) return new CodedError('VALIDATION_FAILED', { message: 'path: is not valid percent-encoding' });
  return toCodedError(thrown);
};

const headersOf = (error: CodedError, status: number): Record<string, string> => {
  // RFC 9110, section 11.6.1: a 401 names the scheme that would be accepted.
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' };
  if (status === 429) {
    const seconds = error.metadata['retryAfterSeconds'] ?? '';
    return { 'Retry-After': /^\d{1,6}$/.test(seconds) ? seconds : DEFAULT_RETRY_AFTER_SECONDS };
  }
  return {};
};

/** The answer to a coded error. Only a validation error's message leaves the platform; it names fields and never holds values. */
export const errorAnswer = (error: CodedError, route?: Pick<Route, 'statusOf'>): ErrorAnswer => {
  const status = statusOf(error.code, route);
  const body: ErrorBody =
    error.code === 'VALIDATION_FAILED'
      ? { kind: 'validation', success: false, error: { name: 'ValidationError', message: error.message } }
      : { success: false, error: error.code };
  return { status, body, headers: headersOf(error, status) };
};
