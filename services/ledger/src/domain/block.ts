import { createHash } from 'node:crypto';
import { decodeEntry, type Entry, encodeEntry } from './entry.ts';

/** A link of a shard's append-only chain. Once written it is never changed. */
export type Block = {
  shard: string;
  /** From 1, without gaps. */
  n: number;
  /** Term of the writer that appended it, for people who read the journal: the number alone is the lock. */
  epoch: number;
  /** Hash of block n-1; GENESIS_HASH for the first. */
  prevHash: string;
  /** SHA-256 over everything else, 64 hex digits. */
  hash: string;
  /** Never before that of block n-1. */
  at: Date;
  /** The entries as they are stored and hashed: one line each (`encodeEntry`), joined by line feeds. One text, because there are many lines. */
  body: string;
};

/** Position in a shard's chain after which the next block goes. */
export type Tail = { n: number; hash: string; at: Date };

const GENESIS_HASH = '0'.repeat(64);
export const GENESIS: Tail = { n: 0, hash: GENESIS_HASH, at: new Date(0) };

export const blockId = (shard: string, n: number): string => `${shard}:${n}`;

/** The leading word is the version of this encoding. */
export const hashBlock = ({ shard, n, epoch, prevHash, at, body }: Omit<Block, 'hash'>): string =>
  createHash('sha256')
    .update(`${JSON.stringify(['florin-block-2', shard, n, epoch, prevHash, at.toISOString()])}\n`)
    .update(body)
    .digest('hex');

/** Makes the block that follows `tail`. */
export const sealBlock = (tail: Tail, content: Pick<Block, 'shard' | 'epoch' | 'at' | 'body'>): Block => {
  const open = { ...content, n: tail.n + 1, prevHash: tail.hash };
  return { ...open, hash: hashBlock(open) };
};

export const tailOf = ({ n, hash: own, at }: Block): Tail => ({ n, hash: own, at });

/** The body of a block with these entries. */
export const encodeEntries = (entries: readonly Entry[]): string => entries.map(encodeEntry).join('\n');

/** A block's entries, each as it is stored. */
export const linesOf = ({ body }: Pick<Block, 'body'>): string[] => (body === '' ? [] : body.split('\n'));

/** @throws Error when a line is not what `encodeEntry` makes */
export const entriesOf = (block: Block): Entry[] => linesOf(block).map(decodeEntry);

/** Describes the fault of a block as the successor of `tail`, in one sentence; undefined when nothing is. */
export const chainProblem = (tail: Tail, block: Block): string | undefined => {
  if (block.n !== tail.n + 1) return `block ${block.n} stands where block ${tail.n + 1} belongs`;
  if (block.prevHash !== tail.hash) return 'prevHash is not the hash of the block before';
  if (block.hash !== hashBlock(block)) return 'the hash does not fit the content';
  if (block.at < tail.at) return 'it is older than the block before';
  return undefined;
};
