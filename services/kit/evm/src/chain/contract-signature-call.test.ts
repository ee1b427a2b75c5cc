import { describe, expect, it } from 'vitest';
import { acceptedByContract, contractSignatureCall } from './contract-signature-call.ts';

const word = (value: number | string) => (typeof value === 'string' ? value.padEnd(64, '0') : value.toString(16).padStart(64, '0'));
const result = (...words: (number | string)[]) => `0x${words.map(word).join('')}`;

describe('acceptedByContract', () => {
  it('accepts the exact result of a contract that accepts', () => {
    expect(acceptedByContract(result(1, 32, '1626ba7e'))).toBe(true);
  });

  it.each([
    ['a call that failed', result(0, 32, '1626ba7e')],
    ['no bytes', result(1, 0, 0)],
    ['fewer bytes', result(1, 4, '1626ba7e')],
    ['more bytes', result(1, 64, '1626ba7e')],
    ['another word', result(1, 32, '1626ba7f')],
    ['extra bytes after the word', result(1, 32, '1626ba7e01')],
    ['many bytes', result(1, 1_048_576, '1626ba7e')],
  ])('treats %s as a rejection', (_name, text) => {
    expect(acceptedByContract(text)).toBe(false);
  });

  it.each([
    ['an empty result', '0x'],
    ['null', null],
    ['a number', 1],
    ['the contract’s word alone', `0x${word('1626ba7e')}`],
    ['a success flag of 2', result(2, 32, '1626ba7e')],
    ['a success flag with extra bits', `0x1${result(1, 32, '1626ba7e').slice(3)}`],
    ['upper-case hex', result(1, 32, '1626BA7E')],
    ['an extra word', result(1, 32, '1626ba7e', 0)],
    ['a trailing line break', `${result(1, 32, '1626ba7e')}\n`],
  ])('throws on %s, which is a fault of the node', (_name, text) => {
    expect(() => acceptedByContract(text)).toThrow();
  });
});

describe('contractSignatureCall', () => {
  it('places the call data after 64 bytes of code for any length', () => {
    for (const bytes of [65, 130, 2048]) {
      const call = contractSignatureCall(`0x${'11'.repeat(20)}`, `0x${'22'.repeat(32)}`, `0x${'33'.repeat(bytes)}`);
      expect(call.slice(2 + 128, 2 + 128 + 8)).toBe('1626ba7e');
      expect(call).toContain(`73${'11'.repeat(20)}63`);
      expect(call).toContain('33'.repeat(bytes));
    }
  });
});
