import { describe, expect, it } from 'vitest';
import { acceptedByContract, contractSignatureCall } from './contract-signature-call.ts';

const word = (value: number | string) => (typeof value === 'string' ? value.padEnd(64, '0') : value.toString(16).padStart(64, '0'));
const answer = (...words: (number | string)[]) => `0x${words.map(word).join('')}`;

describe('the answer of a contract', () => {
  it('is a yes in one way only', () => {
    expect(acceptedByContract(answer(1, 32, '1626ba7e'))).toBe(true);
  });

  it.each([
    ['a call that failed', answer(0, 32, '1626ba7e')],
    ['nothing', answer(1, 0, 0)],
    ['fewer bytes', answer(1, 4, '1626ba7e')],
    ['more bytes', answer(1, 64, '1626ba7e')],
    ['another word', answer(1, 32, '1626ba7f')],
    ['dirt behind the word', answer(1, 32, '1626ba7e01')],
    ['many bytes', answer(1, 1_048_576, '1626ba7e')],
  ])('is a no with %s', (_name, text) => {
    expect(acceptedByContract(text)).toBe(false);
  });

  it.each([
    ['nothing', '0x'],
    ['no text', null],
    ['a number', 1],
    ['the contract’s own word', `0x${word('1626ba7e')}`],
    ['a success that is neither', answer(2, 32, '1626ba7e')],
    ['a success with dirt', `0x1${answer(1, 32, '1626ba7e').slice(3)}`],
    ['capitals', answer(1, 32, '1626BA7E')],
    ['a word more', answer(1, 32, '1626ba7e', 0)],
    ['a line break', `${answer(1, 32, '1626ba7e')}\n`],
  ])('is not %s: that is the node’s fault', (_name, text) => {
    expect(() => acceptedByContract(text)).toThrow();
  });
});

describe('the question to a contract', () => {
  it('stands behind 64 bytes of code, whatever its length', () => {
    for (const bytes of [65, 130, 2048]) {
      const call = contractSignatureCall(`0x${'11'.repeat(20)}`, `0x${'22'.repeat(32)}`, `0x${'33'.repeat(bytes)}`);
      expect(call.slice(2 + 128, 2 + 128 + 8)).toBe('1626ba7e');
      expect(call).toContain(`73${'11'.repeat(20)}63`);
      expect(call).toContain('33'.repeat(bytes));
    }
  });
});
