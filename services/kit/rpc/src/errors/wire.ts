import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorInfoSchema } from '@florin/proto/common/v1/error_info';
import { CodedError } from './coded-error.ts';
import { ERRORS, isErrorCode } from './codes.ts';
import { isConnectionFault } from './connection-fault.ts';

const DOMAIN = 'florin';

/** A coded error as it travels: gRPC status from the table, the code as ErrorInfo. The cause stays behind. */
export const toWire = (error: CodedError): ConnectError =>
  new ConnectError(error.message, ERRORS[error.code].grpc, undefined, [
    { desc: ErrorInfoSchema, value: { reason: error.code, domain: DOMAIN, metadata: { ...error.metadata } } },
  ]);

/** Whether the other side itself raised this. If not, it could not be reached, or the connection broke before it answered. */
export const isAnswer = ({ cause }: CodedError): boolean =>
  cause instanceof ConnectError && cause.findDetails(ErrorInfoSchema).some(({ domain }) => domain === DOMAIN);

/** What a caller makes of an inner service's failure. Text of an unknown origin is kept as cause only. */
export const fromWire = (error: ConnectError): CodedError => {
  const info = error.findDetails(ErrorInfoSchema).find((detail) => detail.domain === DOMAIN);
  if (info !== undefined && isErrorCode(info.reason)) {
    return new CodedError(info.reason, { message: error.rawMessage, metadata: info.metadata, cause: error });
  }
  if (error.code === Code.DeadlineExceeded) return new CodedError('UPSTREAM_TIMEOUT', { cause: error });
  const elsewhere = error.code === Code.Unavailable || error.code === Code.Canceled || error.code === Code.Aborted;
  if (elsewhere || isConnectionFault(error)) {
    return new CodedError('SERVICE_UNAVAILABLE', { cause: error });
  }
  return new CodedError('INTERNAL_ERROR', { cause: error });
};
