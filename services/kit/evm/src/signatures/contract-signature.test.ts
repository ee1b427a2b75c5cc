import { describe, expect, it } from 'vitest';
import { joinSignature, malleated, SECP256K1_ORDER, withV } from '../testing/index.ts';
import { contractSignature } from './index.ts';

const signature = joinSignature({ r: SECP256K1_ORDER / 3n, s: SECP256K1_ORDER / 5n, v: 27 });
const MAX = 200;

describe('contractSignature', () => {
  it.each([1, 27, 28, 31, 32])('accepts one owner’s signature with v %s', (v) => {
    expect(contractSignature(withV(signature, v), MAX)).toBe(withV(signature, v));
  });

  it('accepts longer signatures up to the limit, in lower case', () => {
    expect(contractSignature(`0x${'AB'.repeat(MAX)}`, MAX)).toBe(`0x${'ab'.repeat(MAX)}`);
    expect(contractSignature(`0x${'ab'.repeat(66)}`, MAX)).toBeDefined();
  });

  it.each([
    ['no bytes', '0x'],
    ['too short', signature.slice(0, -2)],
    ['too long', `0x${'ab'.repeat(MAX + 1)}`],
    ['an odd digit', `${signature}a`],
    ['text that is not hex', `0x${'zz'.repeat(70)}`],
    ['a line break', `${signature}0\n`],
    ['high s', malleated(signature)],
    ['high s as a personal message', withV(malleated(signature), 31)],
    ['v 0', withV(signature, 0)],
    ['v 29', withV(signature, 29)],
  ])('rejects %s', (_name, text) => {
    expect(contractSignature(text, MAX)).toBeUndefined();
  });
});
