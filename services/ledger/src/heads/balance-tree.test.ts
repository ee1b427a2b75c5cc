import { hash } from 'node:crypto';
import { BUCKETS, bucketOf, bucketSiblings, joinSubtrees, pathOf, rootFrom, rootOf, type Subtree } from '@florin/evm/reserves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAccountTree, forEachRange, type Leaf, type Range, rangeCovers, WHOLE } from './account-tree.ts';

const leaf = (index: number): Buffer => hash('sha256', `leaf ${index}`, 'buffer');
const leaves = (size: number): Buffer[] => Array.from({ length: size }, (_, index) => leaf(index));
const account = (id: string, amount: number): Leaf => [id, 'active', [['EURe/available', String(amount)]], []];

describe('a tree of balances', () => {
  it('proves each of its leaves, and no other', () => {
    for (let size = 1; size <= 40; size += 1) {
      const all = leaves(size);
      const root = rootOf(all);
      for (let index = 0; index < size; index += 1) {
        const path = pathOf(all, index);
        expect(rootFrom(leaf(index), path)).toEqual(root);
        expect(rootFrom(leaf(size), path)).not.toEqual(root);
        expect(rootFrom(leaf(index), [...path, { side: 'left', hash: leaf(0) }])).not.toEqual(root);
        path.forEach(({ side, hash: sibling }, level) => {
          const turned = { side: side === 'left' ? ('right' as const) : ('left' as const), hash: sibling };
          expect(rootFrom(leaf(index), path.with(level, turned))).not.toEqual(root);
          expect(rootFrom(leaf(index), path.toSpliced(level, 1))).not.toEqual(root);
        });
      }
    }
  });

  it('has the same root for any order of changes and any ranges of reading', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.uuid(), fc.nat(9)), { minLength: 1, maxLength: 60 }),
        fc.constantFrom(1, 2, 8, 64),
        (rows, parts) => {
          const last = new Map(rows);
          const whole = createAccountTree(WHOLE);
          for (const [id, amount] of rows) whole.put(account(id, amount));
          const subtrees: Subtree[] = [];
          for (let from = 0; from < BUCKETS; from += BUCKETS / parts) {
            const range = { from, to: from + BUCKETS / parts };
            const tree = createAccountTree(range);
            for (const [id, amount] of [...last].reverse()) if (rangeCovers(range, id)) tree.put(account(id, amount));
            subtrees.push(tree.subtree());
          }
          expect(joinSubtrees(subtrees)).toEqual(whole.subtree().root);
          const bucket = bucketOf(rows[0]?.[0] ?? '');
          const path = pathOf(
            Array.from({ length: BUCKETS }, (_, index) => whole.rootOfBucket(index)),
            bucket,
          );
          expect(
            bucketSiblings(
              bucket,
              path.map((sibling) => sibling.hash),
            ),
          ).toEqual(path);
          expect(rootFrom(whole.rootOfBucket(bucket), path)).toEqual(whole.subtree().root);
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('reading in ranges', () => {
  it('halves a range that is too large, and leaves none out', async () => {
    const tooLarge = new Error('too large');
    const read: Range[] = [];
    await forEachRange(
      async (range) => {
        if (range.to - range.from > (range.from < 1024 ? 512 : 256)) throw tooLarge;
        read.push(range);
      },
      (error) => error === tooLarge,
    );
    expect(read[0]).toEqual({ from: 0, to: 512 });
    expect(read.at(-1)?.to).toBe(BUCKETS);
    read.slice(1).forEach((range, index) => {
      expect(range.from).toBe(read[index]?.to);
    });
  });

  it('gives up on what is too large even alone, and on other errors', async () => {
    const error = new Error('no');
    const read = () => Promise.reject(error);
    await expect(forEachRange(read, () => true)).rejects.toBe(error);
    await expect(forEachRange(read, () => false)).rejects.toBe(error);
  });
});
