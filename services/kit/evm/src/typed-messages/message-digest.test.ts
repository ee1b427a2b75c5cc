import fc from 'fast-check';
import { hashTypedData } from 'viem';
import { describe, expect, it } from 'vitest';
import { messageDigest, toSignable } from './index.ts';

const message = fc.record({
  domainName: fc.string({ unit: 'grapheme', minLength: 1 }),
  domainVersion: fc.string({ minLength: 1 }),
  chainId: fc.integer({ min: 1 }),
  authorization: fc.string({ unit: 'grapheme', maxLength: 300 }),
  nonce: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
});

describe('the digest of a typed message', () => {
  it('is the one of viem for any domain and message', () => {
    fc.assert(
      fc.property(message, (one) => {
        expect(messageDigest(one)).toBe(hashTypedData(toSignable(one)));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['-1', String(2n ** 256n), 'x', '1.5'])('rejects the nonce %s', (nonce) => {
    const one = { domainName: 'a', domainVersion: '1', chainId: 1, authorization: 'text', nonce };
    expect(() => messageDigest(one)).toThrow();
  });
});
