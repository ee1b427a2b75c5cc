import { type Block, blockId, GENESIS, type Tail } from '../domain/block.ts';
import { parseLedgerAccount } from '../domain/ledger-account.ts';
import { createState, InvariantError, type LedgerState } from '../domain/ledger-state.ts';
import { replayBlock } from './chain.ts';
import type { BlockStore, ProjectionAudit, Projections } from './ports.ts';
import { createProjectionCheck } from './verify-projections.ts';

export type JournalReport = {
  blocks: number;
  entries: number;
  /** Undefined when everything agrees. */
  bad: { block: string; problem: string } | undefined;
  /** Sum of all ledger accounts, by token. */
  sums: Map<string, bigint>;
};

export type VerifyOptions = {
  /** What is being served, frozen. The walk ends at its tail; what is appended meanwhile is left to the next audit. */
  served: { shard: string; tail: Tail; state: LedgerState };
  blocks: BlockStore;
  projections: Pick<Projections, 'loadCheckpoint' | 'findEntries'> & ProjectionAudit;
};

/** Entries whose projections are compared in one go, give or take a block. */
const CHUNK_ENTRIES = 1000;

const sumsOf = (state: LedgerState): Map<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const [name, balance] of state.balances()) {
    const token = parseLedgerAccount(name)?.token ?? name;
    sums.set(token, (sums.get(token) ?? 0n) + balance);
  }
  return sums;
};

/** First ledger account on which two states disagree. */
const difference = (derived: LedgerState, served: LedgerState): string | undefined => {
  for (const [a, b] of [
    [derived, served],
    [served, derived],
  ] as const) {
    for (const [name, balance] of a.balances()) if (b.balance(name) !== balance) return name;
  }
  return undefined;
};

/**
 * Walks the journal from its first block with an empty state: numbers, hash chain, and every transfer under the same rules as when
 * it was written; then compares the derived balances with those being served, and the projections up to their checkpoint.
 * Reports the first block that disagrees. Reads only; streams, so that a long journal needs no memory but its balances.
 */
export const verifyJournal = async ({ served, blocks, projections }: VerifyOptions): Promise<JournalReport> => {
  const { shard } = served;
  const state = createState();
  const projected = createProjectionCheck(shard, Math.min(await projections.loadCheckpoint(shard), served.tail.n), projections);
  let tail: Tail = GENESIS;
  let entries = 0;
  const report = (bad: JournalReport['bad']): JournalReport => ({ blocks: tail.n, entries, bad, sums: sumsOf(state) });

  let chunk: Block[] = [];
  let chunkEntries = 0;
  const checkChunk = async () => {
    const bad = await projected.check(chunk);
    chunk = [];
    chunkEntries = 0;
    return bad;
  };
  try {
    for await (const block of blocks.after(shard, GENESIS.n)) {
      if (block.n > served.tail.n) break;
      replayBlock(tail, state, block).merge();
      tail = { n: block.n, hash: block.hash };
      entries += block.entries.length;
      chunk.push(block);
      chunkEntries += block.entries.length;
      if (chunkEntries < CHUNK_ENTRIES) continue;
      const bad = await checkChunk();
      if (bad !== undefined) return report(bad);
    }
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    return report({ block: blockId(shard, tail.n + 1), problem: error.message });
  }
  const last = blockId(shard, tail.n);
  if (tail.n !== served.tail.n) return report({ block: blockId(shard, tail.n + 1), problem: 'the block is missing' });
  if (tail.hash !== served.tail.hash) return report({ block: last, problem: 'the stored block is not the one that is being served' });
  const bad = (await checkChunk()) ?? (await projected.end());
  if (bad !== undefined) return report(bad);
  const account = difference(state, served.state);
  if (account !== undefined) return report({ block: last, problem: `the balance of ${account} is not what is being served` });
  for (const [token, sum] of sumsOf(state)) {
    if (sum !== 0n) return report({ block: last, problem: `the sum of ${token} is ${sum}` });
  }
  return report(undefined);
};
