import type { ErrorCode } from './codes.ts';

export type CodedErrorOptions = {
  /** Text for logs and for validation errors, without secrets and personal data. Default: the code. */
  message?: string;
  /** Facts that a program needs to handle the error, for example `retryAfterSeconds`. */
  metadata?: Readonly<Record<string, string>>;
  /** The underlying error. Logged, never sent. */
  cause?: unknown;
};

/** The error type of expected failures. Its codes are part of the interface. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly metadata: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: CodedErrorOptions = {}) {
    super(options.message ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CodedError';
    this.code = code;
    this.metadata = options.metadata ?? {};
  }
}
