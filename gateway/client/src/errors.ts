import type { ErrorCodes } from './generated/calls.ts';

/**
 * Codes of the client itself: no response came (`NETWORK_ERROR`), none came in time (`TIMEOUT`), or it is none of the platform's, for example a proxy's page
 * (`UNEXPECTED_RESPONSE`). A mutation may have been performed; a repeat with the same idempotency key finds out.
 */
export type ClientCode = 'NETWORK_ERROR' | 'TIMEOUT' | 'UNEXPECTED_RESPONSE';

/** Name of an operation: its group and its call, for example `cards.getCard`. */
export type OperationName = keyof ErrorCodes;

/** The codes that an operation declares, and those of the client. A newer platform may send others, so a `switch` needs a default. */
export type ErrorCodeOf<O extends OperationName> = ErrorCodes[O] | ClientCode;

/** Every code that this version of the client knows. */
export type AnyCode = ErrorCodes[OperationName] | ClientCode;

export type ErrorFacts = {
  /** HTTP status; 0 without a response. */
  status: number;
  /** Id of the request in the platform's logs. */
  requestId: string;
  operation: string;
  /** Seconds until the request may be repeated, where the platform says so. */
  retryAfterSeconds?: number | undefined;
  /** Why: of invalid fields, of a rejected token, or another fact. */
  message?: string | undefined;
  cause?: unknown;
};

/** Messages of validation errors: `<path>: <problem>` per field, separated by `; `. */
const fieldsOf = (message: string): Record<string, string> =>
  Object.fromEntries(
    message
      .split('; ')
      .map((part) => /^([^:]+): (.*)$/.exec(part))
      .flatMap((match) => (match === null ? [] : [[match[1], match[2]]])),
  );

/** Why a call failed. Decide by `code`. Contains no token and nothing of the request but its id. */
export class FlorinError<Code extends string = AnyCode> extends Error {
  override readonly name = 'FlorinError';
  readonly code: Code;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Id of the request in the platform's logs. */
  readonly requestId: string;
  /** For example `cards.getCard`. */
  readonly operation: string;
  /** Seconds until the request may be repeated, where the platform says so. */
  readonly retryAfterSeconds: number | undefined;
  /** Of `VALIDATION_FAILED`: what is wrong, by the name of the field. Otherwise empty. */
  readonly fields: Readonly<Record<string, string>>;
  /** Facts beside the code, where the platform states them, for example `erasableFrom: 2026-12-24T00:00:00.000Z`. */
  readonly reason: string | undefined;

  constructor(code: Code, { status, requestId, operation, retryAfterSeconds, message, cause }: ErrorFacts) {
    super(
      `${operation}: ${code}${message === undefined ? '' : ` (${message})`}, request ${requestId}`,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.operation = operation;
    this.retryAfterSeconds = retryAfterSeconds;
    this.reason = message;
    this.fields = message === undefined || code !== 'VALIDATION_FAILED' ? {} : fieldsOf(message);
  }
}

/** One error type per code, so that `switch (error.code)` narrows it. */
type ErrorPerCode<Code extends string> = Code extends string ? FlorinError<Code> : never;

/** The errors that a call of an operation can fail with. */
export type ErrorOf<O extends OperationName> = ErrorPerCode<ErrorCodeOf<O>>;

/** Reports whether a value is an error of this client, with one of the codes if there are any. */
export const isFlorinError = <Code extends AnyCode = AnyCode>(error: unknown, ...codes: readonly Code[]): error is FlorinError<Code> =>
  error instanceof FlorinError && (codes.length === 0 || codes.includes(error.code as Code));
