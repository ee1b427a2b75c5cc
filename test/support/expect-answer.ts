import { expect } from 'vitest';
import type { Answer } from './answer.ts';

/** Expects a coded error with its status. */
export const expectCode = (answer: Answer, status: number, code: string): void => {
  expect([answer.status, answer.body]).toEqual([status, { success: false, error: code }]);
};

/** Expects a validation error for the member `path`. */
export const expectValidation = (answer: Answer, path: string): void => {
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({
    kind: 'validation',
    success: false,
    error: { name: 'ValidationError', message: expect.stringContaining(`${path}: `) },
  });
};
