import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uuidSchema } from './fields.ts';
import { phoneProblem } from './phone.ts';

describe('phone numbers', () => {
  it.each([
    ['+4915112345678', true],
    ['+12125550123', true],
    ['+441212345678', true],
    ['+4401212345678', false],
    ['4915112345678', false],
    ['+49 15112345678', false],
    ['+4915112345678 ', false],
    ['+049151123456', false],
    ['+0015112345678', false],
    ['+4912', false],
    ['+49', false],
    ['+999123456789', false],
    ['+491511234567890123', false],
    ['phone', false],
    ['', false],
  ])('%j is valid: %s', (text, expected) => {
    expect(phoneProblem(text) === undefined).toBe(expected);
  });
});

describe('UUIDs', () => {
  it('are normalized to lower case', () => {
    fc.assert(fc.property(fc.uuid(), (id) => uuidSchema.parse(id) === id && uuidSchema.parse(id.toUpperCase()) === id));
  });

  it.each(['', 'x', '01890a5d-ac96-774b-bcce-b302099a805', '01890a5dac96774bbcceb302099a8057', '{01890a5d-ac96-774b-bcce-b302099a8057}'])(
    'rejects %j',
    (text) => {
      expect(uuidSchema.safeParse(text).success).toBe(false);
    },
  );
});
