import { bucketOf, signHead } from '@florin/evm/reserves';
import { createSigningKey } from '@florin/rpc/signing-key';
import { createAccountTree, type Leaf, WHOLE } from '../heads/account-tree.ts';
import { encodeProof, makeLeafProof, makeProof } from '../heads/balance-proof.ts';
import { newHeadKey } from './world.ts';

/** Ids of accounts that share a bucket, sorted: `id`, and as many as given before and after it. */
export const bucketMates = (id: string, before: number, after: number): string[] => {
  const others = (prefix: string, count: number): string[] => {
    const found: string[] = [];
    for (let n = 0; found.length < count; n += 1) if (bucketOf(`${prefix}${n}`) === bucketOf(id)) found.push(`${prefix}${n}`);
    return found.sort();
  };
  return [...others('!', before), id, ...others('~', after)];
};

const orThrow = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the account is not in the tree');
  return value;
};

/** A tree with these accounts of one bucket, sorted by id, and a head that states its root, signed with a new key. */
export const treeOf = (members: readonly Leaf[]) => {
  const key = createSigningKey(JSON.parse(newHeadKey()) as Parameters<typeof createSigningKey>[0]);
  const tree = createAccountTree(WHOLE);
  for (const member of members) tree.put(member);
  const roots = Array.from({ length: WHOLE.to }, (_, bucket) => tree.rootOfBucket(bucket));
  const root = tree.subtree().root.toString('hex');
  const head = signHead(key, { shard: '0', n: 1, hash: 'ab'.repeat(32), at: new Date(0).toISOString(), root });
  return {
    key,
    head,
    members,
    proveLeaf: (id: string) => orThrow(makeLeafProof(id, members, roots)),
    prove: (id: string) => encodeProof(orThrow(makeProof(id, members, roots, head, key.publicKey))),
  };
};
