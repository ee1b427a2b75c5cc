import fc from 'fast-check';
import { getAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { checksumAddress } from './addresses.ts';
import { type Hex, hexOf } from './hex.ts';

const lower = (text: string) => text.toLowerCase() as Hex;

describe('checksumAddress', () => {
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('spells the example %s of EIP-55', (address) => {
    expect(checksumAddress(lower(address))).toBe(address);
  });

  it('spells every address as viem does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const address = lower(`0x${Array.from(bytes, (byte) => hexOf(byte, 1).slice(2)).join('')}`);
        expect(checksumAddress(address)).toBe(getAddress(address));
      }),
    );
  });

  it.each(['0x', `0x${'ab'.repeat(19)}`, `0x${'ab'.repeat(21)}`] as const)('rejects %s', (address) => {
    expect(() => checksumAddress(address)).toThrow('20 bytes');
  });
});
