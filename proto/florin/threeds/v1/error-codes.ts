import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Error codes of the 3DS contracts. They are part of the interface: added, never renamed. */
export const THREEDS_ERROR_CODES = {
  CHALLENGE_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  CHALLENGE_STATE_CONFLICT: { grpc: 'FailedPrecondition', http: 409 },
  DECISION_NOT_AVAILABLE: { grpc: 'FailedPrecondition', http: 409 },
  DECISION_ALREADY_MADE: { grpc: 'FailedPrecondition', http: 409 },
  AUTHENTICATION_NOT_USABLE: { grpc: 'FailedPrecondition', http: 409 },
  RECEIPT_NOT_FOUND: { grpc: 'NotFound', http: 404 },
} as const satisfies ErrorCodes;
