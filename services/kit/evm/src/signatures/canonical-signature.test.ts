import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinSignature, malleated, SECP256K1_ORDER, withV } from '../testing/index.ts';
import { canonicalSignature, hasSignatureShape } from './index.ts';

/** A signature in the form that wallets produce. */
const signature = joinSignature({ r: SECP256K1_ORDER / 3n, s: SECP256K1_ORDER / 5n, v: 27 });

describe('canonical signature', () => {
  it('accepts the form that wallets produce, in any letter case', () => {
    expect(canonicalSignature(signature)).toBe(signature);
    expect(canonicalSignature(`0x${signature.slice(2).toUpperCase()}`)).toBe(signature);
  });

  it.each([
    ['an empty text', ''],
    ['no prefix', signature.slice(2)],
    ['64 bytes (EIP-2098)', signature.slice(0, 130)],
    ['66 bytes', `${signature}00`],
    ['an odd digit', signature.slice(0, -1)],
    ['a character that is not a hex digit', `${signature.slice(0, -1)}g`],
    ['a line break at the end', `${signature}\n`],
  ])('rejects the shape of %s', (_name, text) => {
    expect(hasSignatureShape(text)).toBe(false);
    expect(canonicalSignature(text)).toBeUndefined();
  });

  it.each([
    ['high s', malleated(signature)],
    ['v 0', withV(signature, 0)],
    ['v 1', withV(signature, 1)],
    ['v 26', withV(signature, 26)],
    ['v 29', withV(signature, 29)],
    ['v with a chain id', withV(signature, 235)],
    ['r zero', joinSignature({ r: 0n, s: 1n, v: 27 })],
    ['s zero', joinSignature({ r: 1n, s: 0n, v: 27 })],
    ['r equal to the order', joinSignature({ r: SECP256K1_ORDER, s: 1n, v: 27 })],
    ['s just above half the order', joinSignature({ r: 1n, s: SECP256K1_ORDER / 2n + 1n, v: 27 })],
    ['all ones', `0x${'ff'.repeat(65)}`],
  ])('rejects %s', (_name, text) => {
    expect(hasSignatureShape(text)).toBe(true);
    expect(canonicalSignature(text)).toBeUndefined();
  });

  it('accepts s at half the order', () => {
    expect(canonicalSignature(joinSignature({ r: 1n, s: SECP256K1_ORDER / 2n, v: 27 }))).toBeDefined();
  });

  it('accepts exactly one of two equivalent signatures', () => {
    const half = fc.bigInt(1n, SECP256K1_ORDER - 1n);
    fc.assert(
      fc.property(half, half, fc.constantFrom(27, 28), (r, s, v) => {
        const one = joinSignature({ r, s, v });
        const accepted = [one, malleated(one)].filter((text) => canonicalSignature(text) !== undefined);
        expect(accepted).toHaveLength(1);
      }),
    );
  });
});
