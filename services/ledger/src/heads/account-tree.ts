import { hash } from 'node:crypto';
import { BUCKETS, bucketOf, type LeafContent, leafHash, rootOf, type Subtree } from '@florin/evm/reserves';

/** Buckets from `from` to before `to`: multiples of their number, which is a power of two. */
export type Range = { from: number; to: number };

export const WHOLE: Range = { from: 0, to: BUCKETS };

export const rangeCovers = ({ from, to }: Range, id: string): boolean => {
  const bucket = bucketOf(id);
  return bucket >= from && bucket < to;
};

/** Adds an account to sums; a user's balances by `<token>/<bucket>`, a system account's by `<token>/system/<name>`. */
export const addToTotals = (totals: Map<string, bigint>, [id, status, balances]: Leaf): void => {
  for (const [key, amount] of balances) {
    const name = status === 'system' ? `${key}/system/${id}` : key;
    totals.set(name, (totals.get(name) ?? 0n) + BigInt(amount));
  }
};

/** Sums as they are stored: sorted, without zeros. */
export const spellTotals = (totals: ReadonlyMap<string, bigint>): [key: string, amount: string][] =>
  [...totals].flatMap(([key, sum]): [string, string][] => (sum === 0n ? [] : [[key, `${sum}`]])).sort(([a], [b]) => (a < b ? -1 : 1));

/** All that is signed about an account: id, status, balances, open holds. */
export type Leaf = readonly [id: string, status: string, balances: [key: string, amount: string][], holds: readonly unknown[]];

export const leafContent = ([id, status, balances, holds]: Leaf): LeafContent => [
  id,
  status,
  balances,
  hash('sha256', JSON.stringify(holds)),
];

/** A range's part of the tree of balances, brought up to date leaf by leaf: only buckets that changed are hashed again. */
export const createAccountTree = (range: Range) => {
  const buckets = new Map<number, Map<string, Buffer>>();
  const roots = new Map<number, Buffer>();

  const rootOfBucket = (bucket: number): Buffer => {
    const known = roots.get(bucket);
    if (known !== undefined) return known;
    const leaves = [...(buckets.get(bucket) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    const root = rootOf(leaves.map(([, leaf]) => leaf));
    roots.set(bucket, root);
    return root;
  };

  return {
    put: (leaf: Leaf): void => {
      const bucket = bucketOf(leaf[0]);
      const members = buckets.get(bucket) ?? new Map<string, Buffer>();
      buckets.set(bucket, members.set(leaf[0], leafHash(leafContent(leaf))));
      roots.delete(bucket);
    },
    rootOfBucket,
    subtree: (): Subtree => {
      const parts = Array.from({ length: range.to - range.from }, (_, index) => {
        const bucket = range.from + index;
        return { from: bucket, to: bucket + 1, root: rootOfBucket(bucket) };
      });
      return { ...range, root: rootOf(parts.map(({ root }) => root)) };
    },
  };
};

export type AccountTree = ReturnType<typeof createAccountTree>;

/** The root over accounts in the order of a snapshot, by bucket and id: one bucket's are held at a time. */
export const rootOfAccounts = async (accounts: AsyncIterable<Leaf>): Promise<Buffer> => {
  const roots = Array.from({ length: BUCKETS }, () => rootOf([]));
  let bucket = 0;
  let leaves: Buffer[] = [];
  for await (const leaf of accounts) {
    const own = bucketOf(leaf[0]);
    if (own !== bucket) [bucket, leaves] = [own, []];
    leaves.push(leafHash(leafContent(leaf)));
    roots[bucket] = rootOf(leaves);
  }
  return rootOf(roots);
};

/**
 * Reads something range by range, in as few ranges as memory allows: a range that `read` finds too large is halved.
 * @param isTooLarge whether an error of `read` means that
 */
export const forEachRange = async (read: (range: Range) => Promise<void>, isTooLarge: (error: unknown) => boolean): Promise<void> => {
  for (let { from } = WHOLE, width = BUCKETS; from < BUCKETS; ) {
    try {
      await read({ from, to: from + width });
      from += width;
    } catch (error) {
      if (!isTooLarge(error) || width === 1) throw error;
      width /= 2;
    }
  }
};
