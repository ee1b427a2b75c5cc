import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Error codes of the vault's contracts. They are part of the interface: added, never renamed. */
export const VAULT_ERROR_CODES = {
  CARD_NOT_REVEALABLE: { grpc: 'PermissionDenied', http: 403 },

  CARD_DATA_LIMIT_REACHED: { grpc: 'ResourceExhausted', http: 429 },
  CARD_NUMBERS_EXHAUSTED: { grpc: 'ResourceExhausted', http: 503 },
  RECEIVING_KEY_INVALID: { grpc: 'InvalidArgument', http: 422 },
  SEALED_MESSAGE_INVALID: { grpc: 'InvalidArgument', http: 400 },
  PIN_NOT_SET: { grpc: 'FailedPrecondition', http: 409 },
  PIN_TOO_SIMPLE: { grpc: 'InvalidArgument', http: 422 },
  PROCESSOR_KEY_NOT_CONFIGURED: { grpc: 'FailedPrecondition', http: 409 },
} as const satisfies ErrorCodes;
