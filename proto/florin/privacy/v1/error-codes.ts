import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Error codes of the contracts about personal data. They are part of the interface: codes are added, never renamed. */
export const PRIVACY_ERROR_CODES = {
  EXPORT_TOO_LARGE: { grpc: 'FailedPrecondition', http: 422 },
  USER_HAS_BALANCE: { grpc: 'FailedPrecondition', http: 409 },
  USER_HAS_OPEN_HOLDS: { grpc: 'FailedPrecondition', http: 409 },
  USER_HAS_OPEN_CHALLENGES: { grpc: 'FailedPrecondition', http: 409 },
  USER_HAS_OPEN_DISPUTES: { grpc: 'FailedPrecondition', http: 409 },
  USER_HAS_RECENT_PAYMENTS: { grpc: 'FailedPrecondition', http: 409 },
  USER_IS_BLOCKED: { grpc: 'FailedPrecondition', http: 409 },
} as const satisfies ErrorCodes;
