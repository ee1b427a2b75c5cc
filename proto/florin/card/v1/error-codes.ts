import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Error codes of the card contracts. They are part of the interface: added, never renamed. */
export const CARD_ERROR_CODES = {
  PHONE_REQUIRED: { grpc: 'FailedPrecondition', http: 422 },
  PHONE_NOT_VERIFIED: { grpc: 'FailedPrecondition', http: 422 },
  CARDHOLDER_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  CARD_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  CARD_NOT_ACTIVE: { grpc: 'FailedPrecondition', http: 409 },
  CARD_STATE_CONFLICT: { grpc: 'FailedPrecondition', http: 409 },
  FROZEN_BY_ISSUER: { grpc: 'PermissionDenied', http: 403 },
  CARD_LIMIT_REACHED: { grpc: 'FailedPrecondition', http: 409 },
  CARD_ORDER_LIMIT_REACHED: { grpc: 'ResourceExhausted', http: 429 },
  PAYMENT_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  DISPUTE_NOT_AVAILABLE: { grpc: 'FailedPrecondition', http: 409 },
  LIMIT_ABOVE_PROGRAM: { grpc: 'FailedPrecondition', http: 422 },
  CURRENCY_NOT_SUPPORTED: { grpc: 'InvalidArgument', http: 422 },
  CARD_ISSUING_FAILED: { grpc: 'Unavailable', http: 502 },
} as const satisfies ErrorCodes;
