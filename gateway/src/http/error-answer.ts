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

const describeToken = ({ tokenProblem = '', claim = '' }: CodedError['metadata']): string => {
  if (tokenProblem === 'invalid_claim' && /^[a-z_]{2,10}$/.test(claim)) return `${claim} of the token is missing or wrong`;
  return TOKEN_PROBLEMS[tokenProblem] ?? 'the token is not valid';
};

/** Parameters that name the missing scope (RFC 6750, section 3.1); none where it is not known. */
const missingScope = ({ scope = '' }: CodedError['metadata']): string =>
  /^[a-z.]{1,64}$/.test(scope) ? `, error_description="the scope ${scope} is missing", scope="${scope}"` : '';

/**
 * RFC 6750, section 3: names the scheme, and `invalid_token` with a description only to a client that sent a token. RFC 9449, section 7.1: the
 * same with the scheme DPoP to a client that used it, and `invalid_dpop_proof`. The messages of these errors are words of this gateway.
 */
const challengeTo = (error: CodedError, authorization = ''): string => {
  if (error.code === 'INVALID_DPOP_PROOF') {
    // Identity states the reason in the metadata.
    const { reason = error.message } = error.metadata;
    const description = reason === error.code ? '' : `error_description="${reason}", `;
    return `DPoP error="invalid_dpop_proof", ${description}${DPOP_ALGORITHMS}`;
  }
  if (error.code === 'WRONG_TOKEN_KIND') return `Bearer error="insufficient_scope", error_description="${error.message}"`;
  if (error.code === 'FORBIDDEN') return `Bearer error="insufficient_scope"${missingScope(error.metadata)}`;
  const usesDpop = isDpop(authorization);
  if (error.code !== 'UNAUTHORIZED' || !(usesDpop || BEARER_SCHEME.test(authorization))) return 'Bearer';
  const parameters = `error="invalid_token", error_description="${describeToken(error.metadata)}"`;
  return usesDpop ? `DPoP ${parameters}, ${DPOP_ALGORITHMS}` : `Bearer ${parameters}`;
};

type Failed = Pick<Route, 'statusOf' | 'policy'> & Declared;

const isAboutToken = ({ code }: CodedError, status: number, route: Failed | undefined): boolean =>
  status === 401 || code === 'WRONG_TOKEN_KIND' || (code === 'FORBIDDEN' && route?.policy === 'partner');

const ownHeadersOf = (
  error: CodedError,
  status: number,
  route: Failed | undefined,
  authorization: string | undefined,
): Record<string, string> => {
  if (isAboutToken(error, status, route)) return { 'WWW-Authenticate': challengeTo(error, authorization) };
  // RFC 9110, section 15.5.16: a 415 response names what would have been accepted.
  if (error.code === 'UNSUPPORTED_CONTENT_ENCODING') return { 'Accept-Encoding': 'identity' };
  if (error.code === 'UNSUPPORTED_MEDIA_TYPE') return { Accept: 'application/json; charset=utf-8' };
  const { retryAfterSeconds = '' } = error.metadata;
  return /^\d{1,6}$/.test(retryAfterSeconds) ? { 'Retry-After': retryAfterSeconds } : {};
};

/** Facts of errors that callers may know, by their names in the metadata. The bodies of errors have no room for them. */
const FACTS = ['reason', 'field', 'limit', 'firstCursor', 'usableFrom', 'erasableFrom', 'attemptsLeft'] as const;

/** The errors whose field is one of the caller's own request. */
const WITH_FIELD: readonly string[] = ['SEALED_MESSAGE_INVALID', 'LIMIT_ABOVE_PROGRAM'];

/** Text of a quoted string that needs no escapes (RFC 9110, section 5.6.4). */
const QUOTABLE = /^[ !#-[\]-~]{1,200}$/;

/** The facts of an error in words. */
const titleOf = ({ code, metadata }: CodedError): string =>
  FACTS.filter((name) => name !== 'field' || WITH_FIELD.includes(code))
    .flatMap((name) => (metadata[name] === undefined ? [] : [name === 'reason' ? metadata[name] : `${name}: ${metadata[name]}`]))
    .filter((fact) => QUOTABLE.test(fact))
    .join('; ');

/** Every error links to its entry in the catalogue (RFC 8288), under a title that has its facts. */
const linkOf = (error: CodedError): string => {
  const title = titleOf(error);
  return `</errors#${error.code}>; rel="help"${title === '' ? '' : `; title="${title}"`}`;
};

/**
 * The response to a coded error. Only the message of a validation error is sent; it names fields and never contains values.
 * @param authorization the Authorization header of the request
 */
export const errorAnswer = (error: CodedError, route?: Failed, authorization?: string): ErrorAnswer => {
  const status = statusOf(error.code, route);
  const body: ErrorBody =
    error.code === 'VALIDATION_FAILED'
      ? { kind: 'validation', success: false, error: { name: 'ValidationError', message: toRestNames(error.message, route) } }
      : { success: false, error: error.code };
  return { status, body, headers: { Link: linkOf(error), ...ownHeadersOf(error, status, route, authorization) } };
};
