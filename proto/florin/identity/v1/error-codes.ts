import type { ErrorCodes } from '../../common/v1/error-code.ts';

/** Error codes of identity's contracts. They are part of the interface: codes are added, never renamed. */
export const IDENTITY_ERROR_CODES = {
  // Sign-in and sessions.
  DOMAIN_NOT_ALLOWED: { grpc: 'PermissionDenied', http: 403 },
  NONCE_EXPIRED: { grpc: 'Unauthenticated', http: 401 },
  NONCE_USED: { grpc: 'Unauthenticated', http: 401 },
  INVALID_REFRESH_TOKEN: { grpc: 'Unauthenticated', http: 401 },
  REFRESH_TOKEN_REUSED: { grpc: 'Unauthenticated', http: 401 },
  INVALID_DPOP_PROOF: { grpc: 'Unauthenticated', http: 401 },
  REAUTHENTICATION_REQUIRED: { grpc: 'PermissionDenied', http: 403 },
  SIGNING_KEY_NOT_FOUND: { grpc: 'NotFound', http: 404 },

  // Registration and one-time passwords.
  INVALID_OTP: { grpc: 'InvalidArgument', http: 400 },
  OTP_EXPIRED: { grpc: 'InvalidArgument', http: 400 },
  INVALID_CODE: { grpc: 'InvalidArgument', http: 400 },
  CODE_EXPIRED: { grpc: 'InvalidArgument', http: 400 },
  OTP_ATTEMPTS_EXCEEDED: { grpc: 'FailedPrecondition', http: 400 },
  CODE_ATTEMPTS_EXCEEDED: { grpc: 'FailedPrecondition', http: 400 },
  RESEND_TOO_SOON: { grpc: 'ResourceExhausted', http: 429 },
  CODE_REQUIRED: { grpc: 'FailedPrecondition', http: 422 },
  PHONE_COUNTRY_NOT_ALLOWED: { grpc: 'FailedPrecondition', http: 422 },
  USER_ALREADY_EXISTS: { grpc: 'AlreadyExists', http: 409 },
  USER_REGISTRATION_IN_PROGRESS: { grpc: 'Aborted', http: 409 },
  PROFILE_CREATION_FAILED: { grpc: 'Unavailable', http: 502 },
  USER_NOT_FOUND: { grpc: 'NotFound', http: 404 },

  // Sign-in wallets.
  WALLET_IN_USE: { grpc: 'AlreadyExists', http: 409 },
  WALLET_LIMIT_REACHED: { grpc: 'FailedPrecondition', http: 409 },
  LAST_WALLET: { grpc: 'FailedPrecondition', http: 409 },
  WALLET_IS_OWNER: { grpc: 'FailedPrecondition', http: 409 },
  WALLET_COOLING: { grpc: 'FailedPrecondition', http: 403 },
  APPROVAL_REQUIRED: { grpc: 'PermissionDenied', http: 403 },
  INVALID_APPROVAL: { grpc: 'InvalidArgument', http: 400 },
  RECOVERY_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  RECOVERY_STATE_CONFLICT: { grpc: 'FailedPrecondition', http: 409 },

  // Keys of partners' servers.
  BOOTSTRAP_TOKEN_INVALID: { grpc: 'PermissionDenied', http: 403 },
  PARTNER_KEY_IN_USE: { grpc: 'AlreadyExists', http: 409 },
  PARTNER_KEY_LIMIT_REACHED: { grpc: 'FailedPrecondition', http: 409 },
  PARTNER_KEY_NOT_FOUND: { grpc: 'NotFound', http: 404 },

  // Onboarding.
  TERMS_VERSION_INVALID: { grpc: 'FailedPrecondition', http: 422 },
  KYC_PROFILE_NOT_FOUND: { grpc: 'NotFound', http: 404 },
  KYC_STATE_CONFLICT: { grpc: 'FailedPrecondition', http: 409 },
  KYC_SESSION_FAILED: { grpc: 'Unavailable', http: 502 },
} as const satisfies ErrorCodes;
