import { createHash } from 'node:crypto';
import type { Entry } from './entry.ts';

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
  at: Date;
  entries: readonly Entry[];
};

/** Position in a shard's chain after which the next block goes. */
export type Tail = { n: number; hash: string };

export const GENESIS_HASH = '0'.repeat(64);
export const GENESIS: Tail = { n: 0, hash: GENESIS_HASH };

export const blockId = (shard: string, n: number): string => `${shard}:${n}`;

/**
 * One text per content: arrays in place of objects, data sorted by key, amounts in decimal. The leading word is the version of
 * this encoding.
 */
const canonical = ({ shard, n, epoch, prevHash, at, entries }: Omit<Block, 'hash'>): string =>
  JSON.stringify([
    'florin-block-1',
    shard,
    n,
    epoch,
    prevHash,
    at.toISOString(),
    entries.map(({ id, kind, accountId, inputHash, transfers, data }) => [
      id,
      kind,
      accountId,
      inputHash,
      transfers.map(({ debit, credit, token, amount }) => [debit, credit, token, amount.toString()]),
      Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  ]);

export const hashBlock = (block: Omit<Block, 'hash'>): string => createHash('sha256').update(canonical(block)).digest('hex');

/** Makes the block that follows `tail`. */
export const sealBlock = (tail: Tail, content: Pick<Block, 'shard' | 'epoch' | 'at' | 'entries'>): Block => {
  const open = { ...content, n: tail.n + 1, prevHash: tail.hash };
  return { ...open, hash: hashBlock(open) };
};

/** What is wrong with a block as the successor of `tail`, in one sentence; undefined when nothing is. */
export const chainProblem = (tail: Tail, block: Block): string | undefined => {
  if (block.n !== tail.n + 1) return `block ${block.n} stands where block ${tail.n + 1} belongs`;
  if (block.prevHash !== tail.hash) return 'prevHash is not the hash of the block before';
  if (block.hash !== hashBlock(block)) return 'the hash does not fit the content';
  return undefined;
};
