import { describe, expect, it } from 'vitest';
import { pinsFor } from './pins.ts';

describe('pinsFor', () => {
  it('returns the first two PINs that do not stand in the number', () => {
    expect(pinsFor('4000001234567899')).toEqual(['8302', '8517']);
    expect(pinsFor('4000008302123459')).toEqual(['8517', '9461']);
    expect(pinsFor('4000000851783026')).toEqual(['9461', '5793']);
  });
});
