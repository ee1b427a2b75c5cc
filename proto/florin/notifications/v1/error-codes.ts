import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Codes of the contracts of notifications. They are part of the interface: added, never renamed. */
export const NOTIFICATIONS_ERROR_CODES = {
  PUSH_ENDPOINT_FORBIDDEN: { grpc: 'InvalidArgument', http: 422 },
  PUSH_NOT_AVAILABLE: { grpc: 'FailedPrecondition', http: 409 },
} as const satisfies ErrorCodes;
