import { describe, expect, it } from 'vitest';
import type { ScannedBlock } from '../domain/transfer.ts';
import { fakeAddress } from '../testing/fake-chain.ts';
import { createReadAhead, type Window } from './read-ahead.ts';

const SIZE = 10;
const TRANSFER = {
  contract: fakeAddress('token'),
  from: fakeAddress('a'),
  to: fakeAddress('b'),
  amount: 1n,
  txHash: '0x' as const,
  blockLogIndex: 0,
};

/** Windows of ten blocks, and the first block of each that was read. @param perBlock transfers of a block */
const createWindows = (perBlock = 0) => {
  const reads: number[] = [];
  let failing = -1;
  const ahead = createReadAhead(async (from, last): Promise<Window> => {
    reads.push(from);
    if (from === failing) throw new Error('the node does not respond');
    const blocks = Array.from({ length: Math.min(SIZE, last - from + 1) }, (_, index): ScannedBlock => {
      const number = from + index;
      return { number, hash: `0x${number}`, parentHash: `0x${number - 1}`, transfers: Array.from({ length: perBlock }, () => TRANSFER) };
    });
    return { blocks, found: Promise.resolve([]) };
  });
  const take = async (from: number, last: number): Promise<number | undefined> => {
    const { blocks } = await ahead.take(from, last);
    // Reading ahead that waits for nobody has begun by then.
    await new Promise((resolve) => setImmediate(resolve));
    return blocks.at(-1)?.number;
  };
  return {
    ahead,
    take,
    reads,
    fail: (from: number): void => {
      failing = from;
    },
  };
};

describe('reading ahead', () => {
  it('reads each window once, two ahead of the taker, and none after the last block', async () => {
    const { take, reads } = createWindows();
    expect(await take(1, 45)).toBe(10);
    expect(reads).toEqual([1, 11, 21]);
    expect(await take(11, 45)).toBe(20);
    expect(reads).toEqual([1, 11, 21, 31]);
    expect(await take(21, 45)).toBe(30);
    expect(await take(31, 45)).toBe(40);
    expect(await take(41, 45)).toBe(45);
    expect(reads).toEqual([1, 11, 21, 31, 41]);
  });

  it('goes on where more blocks have become final', async () => {
    const { take, reads } = createWindows();
    expect(await take(1, 5)).toBe(5);
    expect(await take(6, 30)).toBe(15);
    expect(reads).toEqual([1, 6, 16, 26]);
  });

  it('reads again what is taken from another block, or after it was told to forget', async () => {
    const { ahead, take, reads } = createWindows();
    await take(1, 20);
    expect(await take(6, 20)).toBe(15);
    expect(reads).toEqual([1, 11, 6, 16]);
    ahead.forget();
    expect(await take(16, 20)).toBe(20);
    expect(reads).toEqual([1, 11, 6, 16, 16]);
  });

  it('tells of a failure whoever takes the window, which may be taken again', async () => {
    const { take, reads, fail } = createWindows();
    fail(11);
    expect(await take(1, 30)).toBe(10);
    await expect(take(11, 30)).rejects.toThrow('does not respond');
    fail(-1);
    expect(await take(11, 30)).toBe(20);
    expect(reads).toEqual([1, 11, 11, 21]);
  });

  it('reads no further while very many transfers wait to be taken', async () => {
    const { take, reads } = createWindows(6000);
    await take(1, 100);
    expect(reads).toEqual([1, 11]);
    await take(11, 100);
    expect(reads).toEqual([1, 11, 21]);
  });
});
