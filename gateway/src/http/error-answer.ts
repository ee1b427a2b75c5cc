import { CodedError, type ErrorCode, toCodedError } from '@florin/rpc/errors';
import { isDpop, PROOF_ALGORITHMS } from '../proofs/presented-token.ts';
import { statusOf } from './declared-codes.ts';
import type { Route } from './define-route.ts';
import { type Declared, toRestNames } from './field-paths.ts';

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
  'encoding.unsupported': 'UNSUPPORTED_CONTENT_ENCODING',
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

const BEARER_SCHEME = /^Bearer(?:$| )/i;

/** Parameter of a DPoP challenge: the algorithms that a proof may use. */
const DPOP_ALGORITHMS = `algs="${PROOF_ALGORITHMS.join(' ')}"`;

/** Descriptions of `TokenProblem`. */
const TOKEN_PROBLEMS: Readonly<Record<string, string>> = {
  malformed: 'the token is malformed',
  unknown_key: 'no trusted key has the key id of the token',
  bad_signature: 'the signature of the token does not match its key',
  expired: 'the token has expired',
  wrong_audience: 'the audience of the token is another service',
  invalid_claim: 'a claim of the token is missing or wrong',
  revoked: 'the session of the token has ended',
};

/**
 * RFC 6750, section 3: names the scheme, and `invalid_token` with a description only to a client that sent a token. RFC 9449, section 7.1: the
 * same with the scheme DPoP to a client that used it, and `invalid_dpop_proof`. The messages of these errors are words of this gateway.
 */
const challengeTo = (error: CodedError, authorization = ''): string => {
  if (error.code === 'INVALID_DPOP_PROOF') {
    // An error of identity has no message of its own.
    const description = error.message === error.code ? '' : `error_description="${error.message}", `;
    return `DPoP error="invalid_dpop_proof", ${description}${DPOP_ALGORITHMS}`;
  }
  if (error.code === 'WRONG_TOKEN_KIND') return `Bearer error="insufficient_scope", error_description="${error.message}"`;
  const usesDpop = isDpop(authorization);
  if (error.code !== 'UNAUTHORIZED' || !(usesDpop || BEARER_SCHEME.test(authorization))) return 'Bearer';
  const problem = TOKEN_PROBLEMS[error.metadata['tokenProblem'] ?? ''] ?? 'the token is not valid';
  const parameters = `error="invalid_token", error_description="${problem}"`;
  return usesDpop ? `DPoP ${parameters}, ${DPOP_ALGORITHMS}` : `Bearer ${parameters}`;
};

const ownHeadersOf = (error: CodedError, status: number, authorization: string | undefined): Record<string, string> => {
  if (status === 401 || error.code === 'WRONG_TOKEN_KIND') return { 'WWW-Authenticate': challengeTo(error, authorization) };
  // RFC 9110, section 15.5.16: a 415 response names what would have been accepted.
  if (error.code === 'UNSUPPORTED_CONTENT_ENCODING') return { 'Accept-Encoding': 'identity' };
  if (error.code === 'UNSUPPORTED_MEDIA_TYPE') return { Accept: 'application/json; charset=utf-8' };
  const { retryAfterSeconds = '' } = error.metadata;
  if (/^\d{1,6}$/.test(retryAfterSeconds)) return { 'Retry-After': retryAfterSeconds };
  return status === 429 ? { 'Retry-After': DEFAULT_RETRY_AFTER_SECONDS } : {};
};

/** Every error links to its entry in the catalogue (RFC 8288). */
const headersOf = (error: CodedError, status: number, authorization: string | undefined): Record<string, string> => ({
  Link: `</errors#${error.code}>; rel="help"`,
  ...ownHeadersOf(error, status, authorization),
});

/**
 * The response to a coded error. Only the message of a validation error is sent; it names fields and never contains values.
 * @param authorization the Authorization header of the request
 */
export const errorAnswer = (error: CodedError, route?: Pick<Route, 'statusOf'> & Declared, authorization?: string): ErrorAnswer => {
  const status = statusOf(error.code, route);
  const body: ErrorBody =
    error.code === 'VALIDATION_FAILED'
      ? { kind: 'validation', success: false, error: { name: 'ValidationError', message: toRestNames(error.message, route) } }
      : { success: false, error: error.code };
  return { status, body, headers: headersOf(error, status, authorization) };
};
