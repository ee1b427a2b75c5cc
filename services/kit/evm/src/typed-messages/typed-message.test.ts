import { joinSignature } from '@florin/evm/testing';
import fc from 'fast-check';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { newNonce, recoverMessageSigner, toSignable } from './index.ts';

const wallet = privateKeyToAccount(generatePrivateKey());
const data = { domainName: 'Florin 3DS', domainVersion: '1', chainId: 100, authorization: 'APPROVE', nonce: '7' };
const signature = await wallet.signTypedData(toSignable(data));

describe('nonce', () => {
  it('encodes 256 random bits unchanged as the nonce', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const nonce = newNonce((size) => bytes.slice(0, size));
        expect(nonce).toMatch(/^(0|[1-9][0-9]*)$/);
        expect(BigInt(nonce).toString(16).padStart(64, '0')).toBe(Buffer.from(bytes).toString('hex'));
      }),
    );
  });
});

describe('recovered signer', () => {
  it('is the wallet that signed', async () => {
    expect(await recoverMessageSigner(data, signature)).toBe(wallet.address);
  });

  it.each([
    ['name', { domainName: 'Florin' }],
    ['version', { domainVersion: '2' }],
    ['chain', { chainId: 1 }],
    ['text', { authorization: 'DECLINE' }],
    ['nonce', { nonce: '8' }],
  ])('is another address when the %s differs', async (_name, change) => {
    expect(await recoverMessageSigner({ ...data, ...change }, signature)).not.toBe(wallet.address);
  });

  it('is undefined when r is not on the curve', async () => {
    const signatures = Array.from({ length: 40 }, (_, index) => joinSignature({ r: BigInt(index + 1), s: 1n, v: 27 }));
    const signers = await Promise.all(signatures.map((text) => recoverMessageSigner(data, text)));
    expect(signers).toContain(undefined);
    expect(signers.some((signer) => signer !== undefined)).toBe(true);
  });
});
