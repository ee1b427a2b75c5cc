import { joinSignature } from '@florin/kit/testing';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { recoverSigner } from './decision-signature.ts';
import { decisionTypedData, toSignable } from './decision-typed-data.ts';

const wallet = privateKeyToAccount(generatePrivateKey());
const data = decisionTypedData(100, { authorization: 'APPROVE', nonce: '7' });
const signature = await wallet.signTypedData(toSignable(data));

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
    const signatures = Array.from({ length: 40 }, (_, index) => joinSignature({ r: BigInt(index + 1), s: 1n, v: 27 }));
    const signers = await Promise.all(signatures.map((text) => recoverSigner(data, text)));
    expect(signers).toContain(undefined);
    expect(signers.some((signer) => signer !== undefined)).toBe(true);
  });
});
