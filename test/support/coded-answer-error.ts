import type { Answer } from './api-client.ts';

/** An answer that is not a 200; `code` is the simple shape's code, or VALIDATION for the validation shape. */
export class CodedAnswerError extends Error {
  readonly status: number;
  readonly code: string;

  constructor({ method, path, status, body }: Answer) {
    const error = (body as { error?: unknown } | null)?.error;
    const code = typeof error === 'string' ? error : 'VALIDATION';
    super(`${method} ${path.split('?')[0]} answered ${status} ${JSON.stringify(body)}`);
    this.name = 'CodedAnswerError';
    this.status = status;
    this.code = code;
  }
}
