import { describe, expect, it } from 'vitest';
import { readBlocks, type StoredBlock } from './read-blocks.ts';

const block = (n: number, more: Partial<StoredBlock> = {}): StoredBlock => ({
  shard: '0',
  n,
  epoch: 1,
  at: new Date(n),
  body: `["entry-${n}"]`,
  ...more,
});

describe('the audit of a fault run', () => {
  it('reads blocks with several entries, one, and none', async () => {
    const facts = await readBlocks([block(1, { body: '' }), block(2), block(3, { body: '["a"]\n["b"]' })]);
    expect(facts).toEqual({ ids: ['entry-2', 'a', 'b'], problems: [] });
  });

  it.each([
    ['a missing block', [block(1), block(3)], 'block 0:2 is missing'],
    ['a missing first block', [block(2)], 'block 0:1 is missing'],
    ['an earlier term', [block(1, { epoch: 2 }), block(2)], 'block 0:2 is of an earlier term than the one before'],
    ['an earlier time', [block(1), block(2, { at: new Date(0) })], 'block 0:2 is older than the one before'],
  ])('finds %s', async (_name, blocks, problem) => {
    expect((await readBlocks(blocks)).problems).toEqual([problem]);
  });

  it('reads each shard by itself', async () => {
    expect((await readBlocks([block(1), block(2), block(1, { shard: '1' })])).problems).toEqual([]);
  });
});
