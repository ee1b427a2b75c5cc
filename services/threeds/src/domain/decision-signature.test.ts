import { joinSignature, malleated, SECP256K1_ORDER, withV } from '@florin/evm/testing';
import { toSignable } from '@florin/evm/typed-messages';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { canBeSignature, safeSignature } from './decision-signature.ts';
import { decisionTypedData } from './decision-typed-data.ts';

const wallet = privateKeyToAccount(generatePrivateKey());
const data = decisionTypedData(100, { authorization: 'APPROVE', nonce: '7' });
const signature = await wallet.signTypedData(toSignable(data));

describe('Safe signature', () => {
  it('has 65 to 2,048 bytes, in lower case', () => {
    for (const [bytes, fits] of [
      [64, false],
      [66, true],
      [2048, true],
      [2049, false],
    ] as const) {
      const text = `0x${'AB'.repeat(bytes)}`;
      expect(canBeSignature(text)).toBe(fits);
      expect(safeSignature(text)).toBe(fits ? text.toLowerCase() : undefined);
    }
    expect(safeSignature(`${signature.slice(0, -1)}g`)).toBeUndefined();
  });

  it.each([
    [0, false],
    [1, true],
    [2, false],
    [26, false],
    [27, true],
    [28, true],
    [29, false],
    [31, true],
    [32, true],
    [33, false],
    [255, false],
  ])('of one owner with v %i is accepted: %s', (v, fits) => {
    expect(safeSignature(withV(signature, v)) !== undefined).toBe(fits);
  });

  it('of one owner requires low s, like a wallet signature', () => {
    expect(safeSignature(malleated(signature))).toBeUndefined();
    expect(safeSignature(withV(malleated(signature), 31))).toBeUndefined();
    expect(safeSignature(joinSignature({ r: SECP256K1_ORDER, s: 1n, v: 27 }))).toBeUndefined();
  });
});
