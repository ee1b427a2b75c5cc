/** The text of an error on a screen. */
export type FailureView = {
  code: string;
  requestId: string | undefined;
  /** `session`: signing in again helps. `network`: trying again helps. `choice`: the person said no, and knows it. `input`: typing something else helps. */
  kind: 'session' | 'network' | 'validation' | 'choice' | 'input' | 'other';
  /** A text of the page, in place of that of the code. */
  detail: { key: string; values: Readonly<Record<string, string>> } | undefined;
};

const SESSION_CODES = new Set(['UNAUTHORIZED', 'INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED', 'REAUTHENTICATION_REQUIRED']);
const INPUT_CODES = new Set([
  ...['INVALID_OTP', 'OTP_EXPIRED', 'OTP_ATTEMPTS_EXCEEDED', 'INVALID_CODE', 'CODE_EXPIRED', 'CODE_ATTEMPTS_EXCEEDED', 'RESEND_TOO_SOON'],
  ...['PHONE_COUNTRY_NOT_ALLOWED', 'PIN_TOO_SIMPLE', 'LIMIT_ABOVE_PROGRAM'],
]);
const NETWORK_CODES = new Set(['NETWORK_ERROR', 'TIMEOUT']);

const textOf = (error: object, name: string): string | undefined => {
  const value = (error as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const kindOf = (code: string): FailureView['kind'] => {
  if (SESSION_CODES.has(code)) return 'session';
  if (NETWORK_CODES.has(code)) return 'network';
  if (INPUT_CODES.has(code)) return 'input';
  return code === 'VALIDATION_FAILED' ? 'validation' : 'other';
};

/** Reads the code and the id of the request from an error of the platform; any other error is unknown. */
export const describeFailure = (error: unknown): FailureView => {
  if (typeof error !== 'object' || error === null) return { code: 'UNKNOWN', requestId: undefined, kind: 'other', detail: undefined };
  const code = textOf(error, 'code') ?? 'UNKNOWN';
  return { code, requestId: textOf(error, 'requestId'), kind: kindOf(code), detail: undefined };
};

/** Reports whether validation failed at a field of the request. Its words are the server's, and stay off the screen. */
export const hasFieldProblem = (error: unknown, field: string): boolean => {
  const fields = typeof error === 'object' && error !== null ? (error as { fields?: unknown }).fields : undefined;
  return typeof fields === 'object' && fields !== null && textOf(fields, field) !== undefined;
};
