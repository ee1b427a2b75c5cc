import { Code } from '@connectrpc/connect';

type Mapping = { grpc: Code; http: number };

const on = (grpc: Code, http: number): Mapping => ({ grpc, http });

/**
 * Every code that Florin raises, with its gRPC and its HTTP status: the one table of the platform.
 * Codes are part of the interface. They are added, never renamed.
 */
export const ERRORS = {
  // Of no operation in particular.
  VALIDATION_FAILED: on(Code.InvalidArgument, 422),
  MALFORMED_BODY: on(Code.InvalidArgument, 400),
  UNAUTHORIZED: on(Code.Unauthenticated, 401),
  USER_NOT_REGISTERED: on(Code.Unauthenticated, 401),
  FORBIDDEN: on(Code.PermissionDenied, 403),
  NOT_FOUND: on(Code.NotFound, 404),
  METHOD_NOT_ALLOWED: on(Code.Unimplemented, 405),
  PAYLOAD_TOO_LARGE: on(Code.ResourceExhausted, 413),
  UNSUPPORTED_MEDIA_TYPE: on(Code.InvalidArgument, 415),
  IDEMPOTENCY_KEY_REUSED: on(Code.AlreadyExists, 422),
  IDEMPOTENCY_IN_PROGRESS: on(Code.Aborted, 409),
  RATE_LIMITED: on(Code.ResourceExhausted, 429),
  INTERNAL_ERROR: on(Code.Internal, 500),
  SERVICE_UNAVAILABLE: on(Code.Unavailable, 503),
  UPSTREAM_TIMEOUT: on(Code.DeadlineExceeded, 504),

  // Sign-in and sessions.
  DOMAIN_NOT_ALLOWED: on(Code.PermissionDenied, 403),
  NONCE_EXPIRED: on(Code.Unauthenticated, 401),
  NONCE_USED: on(Code.Unauthenticated, 401),
  INVALID_REFRESH_TOKEN: on(Code.Unauthenticated, 401),
  REFRESH_TOKEN_REUSED: on(Code.Unauthenticated, 401),
  REAUTHENTICATION_REQUIRED: on(Code.Unauthenticated, 401),

  // Registration and one-time passwords.
  INVALID_OTP: on(Code.InvalidArgument, 400),
  OTP_EXPIRED: on(Code.InvalidArgument, 400),
  INVALID_CODE: on(Code.InvalidArgument, 400),
  CODE_EXPIRED: on(Code.InvalidArgument, 400),
  CODE_REQUIRED: on(Code.FailedPrecondition, 422),
  USER_ALREADY_EXISTS: on(Code.AlreadyExists, 409),
  USER_REGISTRATION_IN_PROGRESS: on(Code.Aborted, 409),
  PROFILE_CREATION_FAILED: on(Code.Unavailable, 502),
  USER_NOT_FOUND: on(Code.NotFound, 404),

  // Sign-in wallets.
  WALLET_IN_USE: on(Code.AlreadyExists, 409),
  WALLET_LIMIT_REACHED: on(Code.FailedPrecondition, 409),
  LAST_WALLET: on(Code.FailedPrecondition, 409),
  WALLET_IS_OWNER: on(Code.FailedPrecondition, 409),

  // Onboarding.
  TERMS_VERSION_INVALID: on(Code.FailedPrecondition, 422),
  KYC_PROFILE_NOT_FOUND: on(Code.NotFound, 404),
  KYC_STATE_CONFLICT: on(Code.FailedPrecondition, 409),
  KYC_SESSION_FAILED: on(Code.Unavailable, 502),

  // Cards.
  PHONE_REQUIRED: on(Code.FailedPrecondition, 422),
  PHONE_NOT_VERIFIED: on(Code.FailedPrecondition, 422),
  CARDHOLDER_NOT_FOUND: on(Code.NotFound, 404),
  CARD_NOT_FOUND: on(Code.NotFound, 404),
  CARD_NOT_ACTIVE: on(Code.FailedPrecondition, 409),
  CARD_LIMIT_REACHED: on(Code.FailedPrecondition, 409),
  CARD_ISSUING_FAILED: on(Code.Unavailable, 502),

  // Accounts and movements.
  ACCOUNT_NOT_FOUND: on(Code.NotFound, 404),
  ACCOUNT_NOT_ACTIVE: on(Code.PermissionDenied, 403),
  ACCOUNT_CLOSED: on(Code.FailedPrecondition, 409),
  ACCOUNT_NOT_EMPTY: on(Code.FailedPrecondition, 409),
  ACCOUNT_STATE_CONFLICT: on(Code.FailedPrecondition, 409),
  TOKEN_NOT_SUPPORTED: on(Code.InvalidArgument, 422),
  AMOUNT_INVALID: on(Code.InvalidArgument, 422),
  INSUFFICIENT_FUNDS: on(Code.FailedPrecondition, 409),
  ACCOUNT_BLOCKED: on(Code.FailedPrecondition, 409),
  ACCOUNTS_IN_DIFFERENT_SHARDS: on(Code.FailedPrecondition, 409),
  ENTRY_NOT_FOUND: on(Code.NotFound, 404),
  HOLD_NOT_FOUND: on(Code.NotFound, 404),
  HOLD_ALREADY_RESOLVED: on(Code.FailedPrecondition, 409),
  HOLD_EXPIRED: on(Code.FailedPrecondition, 409),
  HOLD_LIMIT_REACHED: on(Code.FailedPrecondition, 409),
  DEPOSIT_NOT_FOUND: on(Code.NotFound, 404),
  DEPOSIT_STATE_CONFLICT: on(Code.FailedPrecondition, 409),
  WITHDRAWAL_NOT_FOUND: on(Code.NotFound, 404),
  WITHDRAWAL_STATE_CONFLICT: on(Code.FailedPrecondition, 409),

  // 3-D Secure.
  CHALLENGE_NOT_FOUND: on(Code.NotFound, 404),
  CHALLENGE_STATE_CONFLICT: on(Code.FailedPrecondition, 409),
  DECISION_NOT_AVAILABLE: on(Code.FailedPrecondition, 409),
  DECISION_ALREADY_MADE: on(Code.FailedPrecondition, 409),
  INVALID_SIGNATURE: on(Code.InvalidArgument, 400),
  RECEIPT_NOT_FOUND: on(Code.NotFound, 404),
} as const satisfies Record<string, Mapping>;

export type ErrorCode = keyof typeof ERRORS;

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);
