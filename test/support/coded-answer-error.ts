import type { Answer } from './answer.ts';

/** A response with a status other than 200; `code` is its error code, or VALIDATION for a validation error. */
export class CodedAnswerError extends Error {
  readonly status: number;
  readonly code: string;

  constructor({ method, path, status, body }: Answer) {
    const error = (body as { error?: unknown } | null)?.error;
    const code = typeof error === 'string' ? error : 'VALIDATION';
    super(`${method} ${path.split('?')[0]} returned ${status} ${JSON.stringify(body)}`);
    this.name = 'CodedAnswerError';
    this.status = status;
    this.code = code;
  }
}
