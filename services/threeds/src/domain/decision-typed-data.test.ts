import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decisionTypedData, newNonce, toSignable } from './decision-typed-data.ts';

describe('typed data', () => {
  it('has the domain and types of the REST contract', () => {
    expect(toSignable(decisionTypedData(100, { authorization: 'text', nonce: '5' }))).toEqual({
      domain: { name: 'Florin 3DS', version: '1', chainId: 100 },
      primaryType: 'Message',
      types: {
        Message: [
          { name: 'authorization', type: 'string' },
          { name: 'nonce', type: 'uint256' },
        ],
      },
      message: { authorization: 'text', nonce: 5n },
    });
  });

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
