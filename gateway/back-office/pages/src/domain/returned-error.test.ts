import { expect, test } from 'vitest';
import { returnedError } from './returned-error.ts';

test.each([
  ['', undefined],
  [
    '?error=FORBIDDEN&request=0199f0aa-1c2d-7e3f-8a4b-5c6d7e8f9a0b',
    { code: 'FORBIDDEN', requestId: '0199f0aa-1c2d-7e3f-8a4b-5c6d7e8f9a0b' },
  ],
  ['?error=FORBIDDEN', { code: 'FORBIDDEN' }],
  ['?error=FORBIDDEN&request=call+%2B49+30+1234567+to+unlock', { code: 'FORBIDDEN' }],
  ['?error=Your+account+is+locked&request=r1', undefined],
])('reads from %j what went wrong, and no sentences', (search, expected) => {
  expect(returnedError(search)).toEqual(expected);
});
