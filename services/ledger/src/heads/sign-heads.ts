import { signHead } from '@florin/evm/reserves';
import type { Logger } from '@florin/rpc/observe';
import type { SigningKey } from '@florin/rpc/signing-key';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { HeadStore } from '../store/heads.ts';

/** A block's place in its chain. */
type Place = { n: number; hash: string; at: Date };

export type HeadSigningOptions = {
  key: SigningKey;
  /** All shards of the ledger. */
  names: () => readonly string[];
  /** Journals that are open here; `tail` is the last durable block. */
  journals: () => readonly { shard: string; tail: () => Place }[];
  blocks: { find: (shard: string, n: number) => Promise<Place | undefined> };
  heads: Pick<HeadStore, 'newest' | 'add' | 'prune'>;
  everyMs: number;
  logger: Logger;
};

/** Heads between two removals of old ones. */
const HEADS_PER_PRUNING = 100;

/**
 * Signs the last block of each open journal, every `everyMs` while blocks are appended. Once the journal in the database is not the
 * one that was signed, nothing is signed any more: the signature must not cover a rewritten history.
 */
export const startHeadSigning = ({ key, names, journals, blocks, heads, everyMs, logger }: HeadSigningOptions): Rounds => {
  let signed = 0;
  const sign = async (shard: string, { n, hash, at }: Place): Promise<void> => {
    const [before] = await heads.newest(shard, 1);
    if (n === 0 || (before !== undefined && before.n >= n)) return;
    for (const expected of [before, { n, hash }]) {
      if (expected === undefined) continue;
      const stored = await blocks.find(shard, expected.n);
      if (stored?.hash === expected.hash) continue;
      // Archived blocks are gone on purpose, but the last one that was signed is never among them for long.
      if (stored === undefined && expected === before) continue;
      logger.error({ shard, n: expected.n }, 'the stored block is not the one that was signed: run `npm run ledger -- verify`');
      return;
    }
    await heads.add(signHead(key, { shard, n, hash, at: at.toISOString(), shards: [...names()] }));
    signed += 1;
    if (signed % HEADS_PER_PRUNING === 0) await heads.prune(shard);
  };
  return startRounds({
    round: async (closed) => {
      for (const { shard, tail } of journals()) {
        if (closed()) return;
        await sign(shard, tail());
      }
    },
    intervalMs: everyMs,
    logger,
    failed: 'signing heads failed, will be repeated',
  });
};
