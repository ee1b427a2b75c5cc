import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorInfoSchema } from '@florin/proto/common/v1/error_info';
import { readViolations } from '../validation/index.ts';
import { CodedError } from './coded-error.ts';
import { ERRORS, type ErrorCode, isErrorCode } from './codes.ts';
import { isUnreachable } from './connection-fault.ts';

const DOMAIN = 'florin';

/** The metadata of an error on the wire. A validation error lists its fields as JSON, `[{"field", "problem"}]`. */
const metadataOf = ({ code, message, metadata }: CodedError): Record<string, string> =>
  code === 'VALIDATION_FAILED' ? { ...metadata, violations: JSON.stringify(readViolations(message)) } : { ...metadata };

/** The detail that carries a coded error. */
export const errorInfoOf = (error: CodedError) => ({
  desc: ErrorInfoSchema,
  value: { reason: error.code, domain: DOMAIN, metadata: metadataOf(error) },
});

/** Encodes a coded error for the wire: the gRPC status from the table, the code as ErrorInfo. The cause is not sent. */
export const toWire = (error: CodedError): ConnectError =>
  new ConnectError(error.message, ERRORS[error.code].grpc, undefined, [errorInfoOf(error)]);

/** Reports whether the called service returned this error. If not, the service could not be reached or the connection broke. */
export const isAnswer = ({ cause }: CodedError): boolean =>
  cause instanceof ConnectError && cause.findDetails(ErrorInfoSchema).some(({ domain }) => domain === DOMAIN);

/** Statuses of a call that ended before the service completed it. */
const INTERRUPTED = new Set<Code>([Code.Unavailable, Code.Canceled, Code.Aborted]);

/** Codes of calls that no method received. They are faults of the caller, so they mean nothing to a caller's own caller. */
export const PROTOCOL_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'RPC_NOT_FOUND',
  'INVALID_DEADLINE',
  'HTTP_VERSION_NOT_SUPPORTED',
  'MALFORMED_BODY',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNSUPPORTED_CONTENT_ENCODING',
]);

/**
 * Decodes the failure of a call to another service. A failure without a known code of the platform becomes UPSTREAM_TIMEOUT,
 * SERVICE_UNAVAILABLE or INTERNAL_ERROR; its text is kept as the cause only.
 */
export const fromWire = (error: ConnectError): CodedError => {
  const info = error.findDetails(ErrorInfoSchema).find((detail) => detail.domain === DOMAIN);
  if (info !== undefined && isErrorCode(info.reason)) {
    if (PROTOCOL_CODES.has(info.reason)) return new CodedError('INTERNAL_ERROR', { cause: error });
    return new CodedError(info.reason, { message: error.rawMessage, metadata: info.metadata, cause: error });
  }
  if (error.code === Code.DeadlineExceeded) return new CodedError('UPSTREAM_TIMEOUT', { cause: error });
  if (INTERRUPTED.has(error.code) || isUnreachable(error)) return new CodedError('SERVICE_UNAVAILABLE', { cause: error });
  return new CodedError('INTERNAL_ERROR', { cause: error });
};
