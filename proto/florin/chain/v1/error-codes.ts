import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Codes of chain's contracts. They are part of the interface: added, never renamed. */
export const CHAIN_ERROR_CODES = {
  CHAIN_NOT_HALTED: { grpc: 'FailedPrecondition', http: 409 },
  DEPOSIT_REVERSED: { grpc: 'FailedPrecondition', http: 409 },
  HALT_NOT_RESOLVABLE: { grpc: 'FailedPrecondition', http: 409 },
  EXCEPTION_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  EXCEPTION_STATE_CONFLICT: { grpc: 'FailedPrecondition', http: 409 },
  RESERVES_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  RECOVERY_NOT_AVAILABLE: { grpc: 'FailedPrecondition', http: 409 },
  RECIPIENT_COOLING: { grpc: 'FailedPrecondition', http: 409 },
  RECIPIENT_REJECTED: { grpc: 'FailedPrecondition', http: 409 },
  SAFES_NOT_AVAILABLE: { grpc: 'FailedPrecondition', http: 409 },
  SAFE_NOT_VERIFIED: { grpc: 'FailedPrecondition', http: 409 },
  SET_UP_NOT_AVAILABLE: { grpc: 'FailedPrecondition', http: 409 },
  WITHDRAWALS_FROZEN: { grpc: 'FailedPrecondition', http: 409 },
  WITHDRAWAL_EXPIRED: { grpc: 'FailedPrecondition', http: 409 },
  WITHDRAWAL_IN_PROGRESS: { grpc: 'FailedPrecondition', http: 409 },
  WITHDRAWAL_LIMIT_EXCEEDED: { grpc: 'FailedPrecondition', http: 409 },
} as const satisfies ErrorCodes;
