import { passesLuhn } from '@florin/rpc/observe';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountDigits, PAN_SHAPE, panOf, randomPan } from './pan.ts';

const range = fc.integer({ min: 6, max: 11 }).chain((length) =>
  fc.record({
    prefix: fc.stringMatching(new RegExp(`^[1-9]\\d{${length - 1}}$`)),
    network: fc.constant('visa'),
  }),
);

describe('card numbers', () => {
  it('belong to their range and pass Luhn', () => {
    fc.assert(
      fc.property(range, fc.infiniteStream(fc.integer({ min: 0, max: 9 })), (one, digits) => {
        const pan = randomPan(one, () => Number(digits.next().value));
        expect(pan).toMatch(PAN_SHAPE);
        expect(pan.startsWith(one.prefix)).toBe(true);
        expect(passesLuhn(pan)).toBe(true);
      }),
    );
  });

  it('have the check digit of the standard', () => {
    expect(panOf({ prefix: '411111', network: 'visa' }, '111111111')).toBe('4111111111111111');
    expect(panOf({ prefix: '555555', network: 'mastercard' }, '555555444')).toBe('5555555555554444');
  });

  it('need exactly the account digits of the range', () => {
    const visa = { prefix: '400000', network: 'visa' };
    expect(accountDigits(visa)).toBe(9);
    expect(() => panOf(visa, '12345678')).toThrow();
    expect(() => panOf(visa, '1234567890')).toThrow();
  });
});
