import { expect, it } from 'vitest';
import { OfficeError } from '../api/http.ts';
import { describeOfficeFailure } from './office-failure.ts';

it.each([
  [{ atMostBlock: '12' }, { key: 'halts.at_most', values: { block: '12' } }],
  [{ atLeastBlock: '3' }, { key: 'halts.at_least', values: { block: '3' } }],
  [{ finalBlock: '20' }, { key: 'halts.not_final', values: { block: '20' } }],
  [{ tie: 'mailbox' }, { key: 'four_eyes.mailbox', values: {} }],
  [{ tie: 'account' }, undefined],
  [{ another: '1' }, undefined],
  [{}, undefined],
])('of an error with %j the page says %j', (details, detail) => {
  const error = new OfficeError('HALT_NOT_RESOLVABLE', 'from_block must be another one', { status: 409, requestId: 'request-1', details });
  expect(describeOfficeFailure(error)).toEqual({ code: 'HALT_NOT_RESOLVABLE', requestId: 'request-1', kind: 'other', detail });
});

it('reads errors of any other shape', () => {
  for (const error of [null, 'text', new Error('text'), { details: 'text' }, { details: { atMostBlock: 1 } }]) {
    expect(describeOfficeFailure(error).detail).toBeUndefined();
  }
});
