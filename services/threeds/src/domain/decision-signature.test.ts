import fc from 'fast-check';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { join, malleated, withV } from '../testing/signatures.ts';
import { canonicalSignature, hasSignatureShape, hasWalletShape, recoverSigner, safeSignature } from './decision-signature.ts';
import { decisionTypedData, toSignable } from './decision-typed-data.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const wallet = privateKeyToAccount(generatePrivateKey());
const data = decisionTypedData(100, { authorization: 'APPROVE', nonce: '7' });
const signature = await wallet.signTypedData(toSignable(data));

describe('canonical signature', () => {
  it('takes what a wallet makes, in any case of letters', () => {
    expect(canonicalSignature(signature)).toBe(signature);
    expect(canonicalSignature(`0x${signature.slice(2).toUpperCase()}`)).toBe(signature);
  });

  it.each([
    ['nothing', ''],
    ['no prefix', signature.slice(2)],
    ['64 bytes (EIP-2098)', signature.slice(0, 130)],
    ['66 bytes', `${signature}00`],
    ['an odd digit', signature.slice(0, -1)],
    ['a character that is no digit', `${signature.slice(0, -1)}g`],
    ['a line break at the end', `${signature}\n`],
  ])('does not take the shape of %s', (_name, text) => {
    expect(hasWalletShape(text)).toBe(false);
    expect(canonicalSignature(text)).toBeUndefined();
  });

  it.each([
    ['high s', malleated(signature)],
    ['v 0', withV(signature, 0)],
    ['v 1', withV(signature, 1)],
    ['v 26', withV(signature, 26)],
    ['v 29', withV(signature, 29)],
    ['v with a chain id', withV(signature, 235)],
    ['r zero', join({ r: 0n, s: 1n, v: 27 })],
    ['s zero', join({ r: 1n, s: 0n, v: 27 })],
    ['r of the order', join({ r: ORDER, s: 1n, v: 27 })],
    ['s just over the half', join({ r: 1n, s: ORDER / 2n + 1n, v: 27 })],
    ['all ones', `0x${'ff'.repeat(65)}`],
  ])('refuses %s', (_name, text) => {
    expect(hasWalletShape(text)).toBe(true);
    expect(canonicalSignature(text)).toBeUndefined();
  });

  it('takes s at the half', () => {
    expect(canonicalSignature(join({ r: 1n, s: ORDER / 2n, v: 27 }))).toBeDefined();
  });

  it('takes exactly one of the two signatures that prove the same', () => {
    const half = fc.bigInt(1n, ORDER - 1n);
    fc.assert(
      fc.property(half, half, fc.constantFrom(27, 28), (r, s, v) => {
        const one = join({ r, s, v });
        const accepted = [one, malleated(one)].filter((text) => canonicalSignature(text) !== undefined);
        expect(accepted).toHaveLength(1);
      }),
    );
  });
});

describe('signature of a Safe', () => {
  it('is of 65 to 2,048 bytes, in lower case', () => {
    for (const [bytes, fits] of [
      [64, false],
      [66, true],
      [2048, true],
      [2049, false],
    ] as const) {
      const text = `0x${'AB'.repeat(bytes)}`;
      expect(hasSignatureShape(text)).toBe(fits);
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
  ])('of one owner may have v %i: %s', (v, fits) => {
    expect(safeSignature(withV(signature, v)) !== undefined).toBe(fits);
  });

  it('of one owner has low s, as a wallet’s has', () => {
    expect(safeSignature(malleated(signature))).toBeUndefined();
    expect(safeSignature(withV(malleated(signature), 31))).toBeUndefined();
    expect(safeSignature(join({ r: ORDER, s: 1n, v: 27 }))).toBeUndefined();
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
  ])('is somebody else when the %s differs', async (_name, change) => {
    expect(await recoverSigner({ ...data, ...change }, signature)).not.toBe(wallet.address);
  });

  it('is nobody when r is no point of the curve', async () => {
    const signatures = Array.from({ length: 40 }, (_, index) => join({ r: BigInt(index + 1), s: 1n, v: 27 }));
    const signers = await Promise.all(signatures.map((text) => recoverSigner(data, text)));
    expect(signers).toContain(undefined);
    expect(signers.some((signer) => signer !== undefined)).toBe(true);
  });
});
