import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Codes of settlement's contracts. They are part of the interface: added, never renamed. */
export const SETTLEMENT_ERROR_CODES = {
  DAY_NOT_CLOSED: { grpc: 'FailedPrecondition', http: 409 },
  DAY_NOT_ENDED: { grpc: 'FailedPrecondition', http: 409 },
} as const satisfies ErrorCodes;
