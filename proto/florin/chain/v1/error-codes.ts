import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Codes of chain's contracts. They are part of the interface: added, never renamed. */
export const CHAIN_ERROR_CODES = {
  EXCEPTION_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  EXCEPTION_STATE_CONFLICT: { grpc: 'FailedPrecondition', http: 409 },
} as const satisfies ErrorCodes;
