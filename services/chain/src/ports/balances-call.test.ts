import type { Hex } from '@florin/evm/hex';
import { describe, expect, it } from 'vitest';
import { fakeAddress } from '../testing/fake-chain.ts';
import { balancesCall, MAX_HOLDINGS, readBalances } from './balances-call.ts';

const holding = (name: string) => ({ contract: fakeAddress('EURe'), holder: fakeAddress(name) });
const word = (value: bigint): string => value.toString(16).padStart(64, '0');
const resultOf = (...words: bigint[]): Hex => `0x${words.map(word).join('')}`;

describe('reading balances', () => {
  it('returns a balance per holding', () => {
    expect(readBalances([holding('a'), holding('b')], resultOf(1n, 7n, 1n, 0n))).toEqual([7n, 0n]);
  });

  it.each([
    ['a token that returned nothing', resultOf(0n, 0n)],
    ['a flag that is no flag', resultOf(2n, 7n)],
    ['a result that is too short', resultOf(1n)],
    ['a result that is too long', resultOf(1n, 7n, 1n)],
    ['no result', '0x' as Hex],
  ])('rejects %s', (_name, result) => {
    expect(() => readBalances([holding('a')], result)).toThrow();
  });

  it('makes code that nodes accept, for as many holdings as one call takes', () => {
    const call = balancesCall(Array.from({ length: MAX_HOLDINGS }, (_, index) => holding(String(index))));
    expect((call.length - 2) / 2).toBeLessThan(49_152);
  });
});
