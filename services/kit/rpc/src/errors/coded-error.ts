import type { ErrorCode } from './codes.ts';

export type CodedErrorOptions = {
  /** For people who read logs and for the validation shape; never secrets or personal data. */
  message?: string;
  /** Facts that a program needs to react, for example `retryAfterSeconds`. */
  metadata?: Readonly<Record<string, string>>;
  /** What went wrong underneath: logged, never sent. */
  cause?: unknown;
};

/** The only error that the platform's own code raises on purpose. */
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
