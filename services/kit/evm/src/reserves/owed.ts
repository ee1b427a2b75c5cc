import { hash } from 'node:crypto';
import { BUCKETS, bucketOf, pathOf, rootOf } from './balance-tree.ts';

/**
 * The ledger's debt to an account, by token, which the account's Safe must hold. Everything of the account, also what was spent and has not left its Safe,
 * less the account's own debt; nothing where that is below zero. Sorted, without zeros. `safe`: the address of that Safe in lower case, empty for an account without a
 * record.
 */
export type Owed = [accountId: string, amounts: [token: string, amount: string][], safe: string];

type Leaf = [id: string, status: string, balances: [key: string, amount: string][]];

/** @returns undefined for a system account, and for one to which nothing is owed */
export const owedTo = ([id, status, balances]: readonly [...Leaf, ...rest: unknown[]], safe: string): Owed | undefined => {
  if (status === 'system') return undefined;
  const sums = new Map<string, bigint>();
  for (const [key, amount] of balances) {
    const [token = ''] = key.split('/');
    sums.set(token, (sums.get(token) ?? 0n) + BigInt(amount));
  }
  const amounts = [...sums].filter(([, sum]) => sum > 0n).map(([token, sum]): [string, string] => [token, sum.toString()]);
  if (amounts.length === 0) return undefined;
  amounts.sort(([a], [b]) => (a < b ? -1 : 1));
  return [id, amounts, safe];
};

/** Leaves of this tree begin with another word than those of the tree of balances: neither can be taken for the other. */
const leafOf = (owed: Owed): Buffer => hash('sha256', `\0${JSON.stringify(['owed', ...owed])}`, 'buffer');

/** Root over what is owed to the accounts of one bucket, sorted by id. */
export const owedBucketRoot = (members: readonly Owed[]): Buffer => rootOf(members.map(leafOf));

/** Adds lines in the order of a shard's proof, by bucket and id. */
export type OwedTree = {
  /** @throws Error when the line is not after the last one */
  add: (owed: Owed) => void;
  /** Root of the tree, 64 hex digits. */
  root: () => string;
};

export const createOwedTree = (): OwedTree => {
  const roots = Array.from({ length: BUCKETS }, () => rootOf([]));
  let [bucket, last] = [0, ''];
  let members: Owed[] = [];
  const close = (): void => {
    if (members.length > 0) roots[bucket] = owedBucketRoot(members);
    members = [];
  };
  return {
    add: (owed) => {
      const [id] = owed;
      const own = bucketOf(id);
      if (own < bucket || (own === bucket && members.length > 0 && id <= last)) throw new Error('what is owed is not in its order');
      if (own !== bucket) {
        close();
        bucket = own;
      }
      members.push(owed);
      last = id;
    },
    root: () => {
      close();
      return rootOf(roots).toString('hex');
    },
  };
};

/** The way from what is owed to an account up to the root that a head states. */
export type OwedPath = {
  /** Siblings within the account's bucket: `left:` or `right:`, the side on which it stands, and 64 hex digits each. */
  accountPath: string[];
  /** Siblings from there to the root: 64 hex digits each. Their sides follow from the account's id. */
  bucketPath: string[];
};

/** @param members of the account's bucket, sorted by id, the account among them */
export const owedPath = (accountId: string, members: readonly Owed[], bucketRoots: readonly Buffer[]): OwedPath | undefined => {
  const index = members.findIndex(([id]) => id === accountId);
  if (index < 0) return undefined;
  return {
    accountPath: pathOf(members.map(leafOf), index).map(({ side, hash: sibling }) => `${side}:${sibling.toString('hex')}`),
    bucketPath: pathOf(bucketRoots, bucketOf(accountId)).map(({ hash: sibling }) => sibling.toString('hex')),
  };
};
