import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Codes of ledger's contracts. They are part of the interface: added, never renamed. */
export const LEDGER_ERROR_CODES = {
  ACCOUNT_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  ACCOUNT_NOT_ACTIVE: { grpc: 'PermissionDenied', http: 403 },
  ACCOUNT_CLOSED: { grpc: 'FailedPrecondition', http: 409 },
  ACCOUNT_NOT_EMPTY: { grpc: 'FailedPrecondition', http: 409 },
  ACCOUNT_STATE_CONFLICT: { grpc: 'FailedPrecondition', http: 409 },
  TOKEN_NOT_SUPPORTED: { grpc: 'InvalidArgument', http: 422 },
  AMOUNT_INVALID: { grpc: 'InvalidArgument', http: 422 },
  INSUFFICIENT_FUNDS: { grpc: 'FailedPrecondition', http: 409 },
  ACCOUNT_BLOCKED: { grpc: 'FailedPrecondition', http: 409 },
  ACCOUNTS_IN_DIFFERENT_SHARDS: { grpc: 'FailedPrecondition', http: 409 },
  ENTRY_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  HOLD_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  HOLD_ALREADY_RESOLVED: { grpc: 'FailedPrecondition', http: 409 },
  HOLD_EXPIRED: { grpc: 'FailedPrecondition', http: 409 },
  HOLD_LIMIT_REACHED: { grpc: 'FailedPrecondition', http: 409 },
  DEPOSIT_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  DEPOSIT_STATE_CONFLICT: { grpc: 'FailedPrecondition', http: 409 },
  WITHDRAWAL_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  WITHDRAWAL_STATE_CONFLICT: { grpc: 'FailedPrecondition', http: 409 },
} as const satisfies ErrorCodes;
