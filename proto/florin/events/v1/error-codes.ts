import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Codes of the contracts of events. They are part of the interface: added, never renamed. */
export const EVENTS_ERROR_CODES = {
  CURSOR_AHEAD: { grpc: 'FailedPrecondition', http: 409 },
  CURSOR_INVALID: { grpc: 'InvalidArgument', http: 400 },
  EVENTS_ARCHIVED: { grpc: 'FailedPrecondition', http: 410 },
  EVENT_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  EVENT_TYPE_UNKNOWN: { grpc: 'InvalidArgument', http: 400 },
  WEBHOOK_ENDPOINT_DISABLED: { grpc: 'FailedPrecondition', http: 409 },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: { grpc: 'FailedPrecondition', http: 409 },
  WEBHOOK_ENDPOINT_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  WEBHOOK_ORDER_LIMIT_REACHED: { grpc: 'ResourceExhausted', http: 429 },
  WEBHOOK_SECRET_INVALID: { grpc: 'InvalidArgument', http: 400 },
  WEBHOOK_URL_FORBIDDEN: { grpc: 'InvalidArgument', http: 400 },
} as const satisfies ErrorCodes;
