import { describe, expect, it } from 'vitest';
import { isGuessedFirst } from './pin.ts';

describe('isGuessedFirst', () => {
  it.each([
    ['0000', true],
    ['9999', true],
    ['1234', true],
    ['7890', true],
    ['4321', true],
    ['0987', true],
    ['1212', true],
    ['1984', true],
    ['2007', true],
    ['1357', false],
    ['8302', false],
    ['2180', false],
    ['1233', false],
  ])('is for %s: %s', (pin, expected) => {
    expect(isGuessedFirst(pin)).toBe(expected);
  });
});
