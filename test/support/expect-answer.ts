import { expect } from 'vitest';
import type { Answer } from './api-client.ts';

/** The simple error shape with its status. */
export const expectCode = (answer: Answer, status: number, code: string): void => {
  expect([answer.status, answer.body]).toEqual([status, { success: false, error: code }]);
};

/** The validation error shape; `path` is where the message must start. */
export const expectValidation = (answer: Answer, path: string): void => {
  expect(answer.status).toBe(422);
  expect(answer.body).toEqual({
    kind: 'validation',
    success: false,
    error: { name: 'ValidationError', message: expect.stringContaining(`${path}: `) },
  });
};
