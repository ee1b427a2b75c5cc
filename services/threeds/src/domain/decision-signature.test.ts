import { joinSignature, malleated, SECP256K1_ORDER, withV } from '@florin/evm/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { canBeSignature, recoverSigner, safeSignature } from './decision-signature.ts';
import { decisionTypedData, toSignable } from './decision-typed-data.ts';

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

describe('recovered signer', () => {
  it('is the wallet that signed', async () => {
    expect(await recoverSigner(data, signature)).toBe(wallet.address);
  });

  it.each([
    ['name', { domainName: 'Florin' }],
    ['version', { domainVersion: '2' }],
    ['chain', { chainId: 1 }],
    ['text', { authorization: 'DECLINE' }],
    ['nonce', { nonce: '8' }],
  ])('is another address when the %s differs', async (_name, change) => {
    expect(await recoverSigner({ ...data, ...change }, signature)).not.toBe(wallet.address);
  });

  it('is undefined when r is not on the curve', async () => {
    const signatures = Array.from({ length: 40 }, (_, index) => joinSignature({ r: BigInt(index + 1), s: 1n, v: 27 }));
    const signers = await Promise.all(signatures.map((text) => recoverSigner(data, text)));
    expect(signers).toContain(undefined);
    expect(signers.some((signer) => signer !== undefined)).toBe(true);
  });
});
