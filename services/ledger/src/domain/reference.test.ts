import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCreditorReference, referenceCandidate } from './reference.ts';

describe('payment references', () => {
  // The first is the example of ISO 11649.
  it.each([
    ['RF18539007547034', true],
    ['RF19539007547034', false],
    ['RF18539007547043', false],
    ['RF18 5390 0754 7034', false],
    ['XX18539007547034', false],
    ['RF18', false],
  ])('%s: %s', (text, valid) => {
    expect(isCreditorReference(text)).toBe(valid);
  });

  it('have right check digits, avoid letters that are misread, and tell candidates apart', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(7), (id, attempt) => {
        const reference = referenceCandidate(id, attempt);
        expect(isCreditorReference(reference)).toBe(true);
        expect(reference).toMatch(/^RF[0-9]{2}[0-9A-HJKMNP-TV-Z]{12}$/);
        expect(referenceCandidate(id, attempt)).toBe(reference);
        expect(referenceCandidate(id, attempt + 1)).not.toBe(reference);
      }),
    );
  });
});
