import type { ErrorCodes } from './error-code.ts';

/** Error codes shared by all services. They are part of the interface: codes are added, never renamed. */
export const COMMON_ERROR_CODES = {
  VALIDATION_FAILED: { grpc: 'InvalidArgument', http: 422 },
  MALFORMED_BODY: { grpc: 'InvalidArgument', http: 400 },
  UNAUTHORIZED: { grpc: 'Unauthenticated', http: 401 },
  USER_NOT_REGISTERED: { grpc: 'PermissionDenied', http: 403 },
  FORBIDDEN: { grpc: 'PermissionDenied', http: 403 },
  NOT_FOUND: { grpc: 'NotFound', http: 404 },
  METHOD_NOT_ALLOWED: { grpc: 'Unimplemented', http: 405 },
  PAYLOAD_TOO_LARGE: { grpc: 'ResourceExhausted', http: 413 },
  UNSUPPORTED_MEDIA_TYPE: { grpc: 'InvalidArgument', http: 415 },
  UNSUPPORTED_CONTENT_ENCODING: { grpc: 'InvalidArgument', http: 415 },
  IDEMPOTENCY_KEY_REUSED: { grpc: 'AlreadyExists', http: 422 },
  IDEMPOTENCY_IN_PROGRESS: { grpc: 'Aborted', http: 409 },
  RATE_LIMITED: { grpc: 'ResourceExhausted', http: 429 },
  STREAM_LIMIT_REACHED: { grpc: 'ResourceExhausted', http: 429 },
  OPERATOR_EXISTS: { grpc: 'AlreadyExists', http: 409 },
  ORDER_STATE_CONFLICT: { grpc: 'FailedPrecondition', http: 409 },
  REASON_REQUIRED: { grpc: 'FailedPrecondition', http: 422 },
  INTERNAL_ERROR: { grpc: 'Internal', http: 500 },
  SERVICE_UNAVAILABLE: { grpc: 'Unavailable', http: 503 },
  UPSTREAM_TIMEOUT: { grpc: 'DeadlineExceeded', http: 504 },
  RPC_NOT_FOUND: { grpc: 'Unimplemented', http: 404 },
  INVALID_DEADLINE: { grpc: 'InvalidArgument', http: 400 },
  HTTP_VERSION_NOT_SUPPORTED: { grpc: 'Unimplemented', http: 505 },
  INVALID_SIGNATURE: { grpc: 'InvalidArgument', http: 400 },
} as const satisfies ErrorCodes;
