import type { IncomingHttpHeaders } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import { CodedError, type ErrorCode, errorInfoOf } from '../errors/index.ts';
import { MAX_TIMEOUT_MS, WRITE_MAX_BYTES } from './limits.ts';

/** The facts of the request for which the protocol layer raised an error. */
export type FailedRequest = {
  headers: IncomingHttpHeaders;
  /** Maximum size of the request message. */
  maxBytes: number;
  /** True if the method ran: the error then concerns the response. */
  ran?: boolean;
};

/** Turns an error without ErrorInfo into one that has it. */
export type DescribeError = (error: ConnectError, request: FailedRequest) => ConnectError;

/** Lengths of the units of the header grpc-timeout, in milliseconds. */
const UNITS_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** Reports whether the deadline of a request is malformed, or longer than the longest. */
const hasInvalidDeadline = ({ 'connect-timeout-ms': connect, 'grpc-timeout': grpc }: IncomingHttpHeaders): boolean => {
  if (connect !== undefined) return !/^\d{1,10}$/.test(String(connect)) || Number(connect) > MAX_TIMEOUT_MS;
  if (grpc === undefined) return false;
  const [, amount = '', unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(String(grpc)) ?? [];
  return amount === '' || Number(amount) * (UNITS_MS[unit] ?? 0) > MAX_TIMEOUT_MS;
};

const ENCODINGS = new Set<unknown>([undefined, '', 'identity', 'gzip']);

const hasUnknownEncoding = (headers: IncomingHttpHeaders): boolean =>
  ['content-encoding', 'connect-content-encoding', 'grpc-encoding'].some((name) => !ENCODINGS.has(headers[name]));

/** Codes whose meaning does not depend on the request. */
const CODES: Partial<Record<Code, ErrorCode>> = {
  [Code.DeadlineExceeded]: 'UPSTREAM_TIMEOUT',
  [Code.ResourceExhausted]: 'PAYLOAD_TOO_LARGE',
  [Code.NotFound]: 'NOT_FOUND',
  [Code.Unavailable]: 'SERVICE_UNAVAILABLE',
};

const codeOf = (error: ConnectError, { headers, ran }: FailedRequest): ErrorCode => {
  const code = CODES[error.code];
  if (code !== undefined) return code;
  if (ran === true) return 'INTERNAL_ERROR';
  if (hasUnknownEncoding(headers)) return 'UNSUPPORTED_CONTENT_ENCODING';
  return hasInvalidDeadline(headers) ? 'INVALID_DEADLINE' : 'MALFORMED_BODY';
};

const metadataOf = (code: ErrorCode, { maxBytes, ran }: FailedRequest): Record<string, string> => {
  if (code === 'PAYLOAD_TOO_LARGE') return { maxBytes: String(ran === true ? WRITE_MAX_BYTES : maxBytes) };
  return code === 'INVALID_DEADLINE' ? { maxMs: String(MAX_TIMEOUT_MS) } : {};
};

/**
 * Adds ErrorInfo to an error that the protocol layer raised: a message that cannot be read or is too large, a deadline, a compression. Its
 * status stays the one that the protocol prescribes. An error that has details is returned as it is.
 */
export const describeError: DescribeError = (error, request) => {
  if (error.details.length > 0) return error;
  const code = codeOf(error, request);
  const info = errorInfoOf(new CodedError(code, { metadata: metadataOf(code, request) }));
  return new ConnectError(error.rawMessage, error.code, error.metadata, [info]);
};

type Refusal = { code: ErrorCode; message: string };

/** Errors of requests that reach no method, by HTTP status. */
const REFUSALS: Readonly<Record<number, Refusal>> = {
  400: { code: 'MALFORMED_BODY', message: 'the request is not valid HTTP' },
  404: { code: 'RPC_NOT_FOUND', message: 'no RPC has this path' },
  405: { code: 'METHOD_NOT_ALLOWED', message: 'the RPC does not accept this HTTP method' },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the content type is none of gRPC, gRPC-Web or Connect' },
  505: { code: 'HTTP_VERSION_NOT_SUPPORTED', message: 'the RPC requires HTTP/2' },
};

const FAULT: Refusal = { code: 'INTERNAL_ERROR', message: 'internal error' };

/** Returns the error of a request that reaches no method, which HTTP reports by its status only. */
export const refusalOf = (status: number): CodedError => {
  const { code, message } = REFUSALS[status] ?? FAULT;
  return new CodedError(code, { message });
};
