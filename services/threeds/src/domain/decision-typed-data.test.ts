import { toSignable } from '@florin/evm/typed-messages';
import { describe, expect, it } from 'vitest';
import { decisionTypedData } from './decision-typed-data.ts';

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
});
