import { expect, test } from 'vitest';
import { describeFailure, hasFieldProblem } from './failure-view.ts';

const failed = (code: string, more: object = {}) => Object.assign(new Error(code), { code, requestId: 'request-1', ...more });

test.each([
  ['CARD_STATE_CONFLICT', 'other'],
  ['UNAUTHORIZED', 'session'],
  ['REAUTHENTICATION_REQUIRED', 'session'],
  ['NETWORK_ERROR', 'network'],
  ['TIMEOUT', 'network'],
  ['INVALID_OTP', 'input'],
  ['PIN_TOO_SIMPLE', 'input'],
  ['VALIDATION_FAILED', 'validation'],
])('shows %s with its request, as %s', (code, kind) => {
  expect(describeFailure(failed(code))).toEqual({ code, requestId: 'request-1', kind, detail: undefined });
});

test.each([undefined, null, 'text', new Error('a bug')])('shows %j as unknown', (error) => {
  expect(describeFailure(error)).toMatchObject({ code: 'UNKNOWN', kind: 'other' });
});

test('finds the problem of a field', () => {
  const error = failed('VALIDATION_FAILED', { fields: { email: 'must be an e-mail address' } });
  const found = [error, null, new Error('x')].map((one) => hasFieldProblem(one, 'email'));
  expect([...found, hasFieldProblem(error, 'otp')]).toEqual([true, false, false, false]);
});
