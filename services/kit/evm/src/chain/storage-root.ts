import { concatHex, type Hex, keccak256, pad, toRlp, trim } from 'viem';

/** Nibbles of the hash of a slot, and the RLP of what the slot holds. */
type Leaf = { path: string; value: Hex };

/** A node of the trie before its encoding. */
type Node = Hex | Node[];

/** Nibbles with a flag for a leaf in front, of even number ("hex prefix", Yellow Paper, appendix C). */
const compact = (nibbles: string, isLeaf: boolean): Hex => {
  const flag = (isLeaf ? 2 : 0) + (nibbles.length % 2);
  return `0x${flag}${nibbles.length % 2 === 0 ? '0' : ''}${nibbles}`;
};

/** A node as its parent holds it: itself when it is short, else its hash. */
const referenceTo = (node: Node): Node => {
  const encoded = toRlp(node);
  return (encoded.length - 2) / 2 < 32 ? node : keccak256(encoded);
};

/** Number of nibbles after `depth` that all of several leaves have in common. Their paths are distinct, so it ends before they do. */
const sharedLength = (leaves: readonly Leaf[], depth: number): number => {
  const [first = { path: '' }, ...others] = leaves;
  let length = 0;
  while (depth + length < first.path.length && others.every(({ path }) => path[depth + length] === first.path[depth + length])) length += 1;
  return length;
};

/** The node over leaves, at least one, that share `depth` nibbles. */
const nodeOver = (leaves: readonly Leaf[], depth: number): Node => {
  const [only] = leaves;
  if (leaves.length === 1 && only !== undefined) return [compact(only.path.slice(depth), true), only.value];
  const shared = sharedLength(leaves, depth);
  if (shared > 0) return [compact(only?.path.slice(depth, depth + shared) ?? '', false), referenceTo(nodeOver(leaves, depth + shared))];
  const children = Array.from('0123456789abcdef', (nibble): Node => {
    const below = leaves.filter(({ path }) => path[depth] === nibble);
    return below.length === 0 ? '0x' : referenceTo(nodeOver(below, depth + 1));
  });
  return [...children, '0x'];
};

/**
 * The storage root of a contract that holds these words and nothing else: the root of the Merkle Patricia trie of Ethereum's accounts (Yellow Paper, 4.1 and appendix D),
 * which `eth_getProof` (EIP-1186) returns as `storageHash`.
 * @param words by slot; both of 32 bytes or shorter. A word that is zero is not stored; of a slot that is named twice, the last word is
 */
export const storageRoot = (words: Iterable<readonly [slot: Hex, word: Hex]>): Hex => {
  const values = new Map([...words].map(([slot, word]) => [keccak256(pad(slot)).slice(2), trim(pad(word))]));
  const leaves: Leaf[] = [];
  for (const [path, value] of values) if (value !== '0x00') leaves.push({ path, value: toRlp(value) });
  return keccak256(toRlp(leaves.length === 0 ? '0x' : nodeOver(leaves, 0)));
};

/** The slot of a key of a mapping of Solidity. */
export const slotOf = (key: Hex, mapping: Hex): Hex => keccak256(concatHex([pad(key), pad(mapping)]));
