import { type Block, blockId, chainProblem, GENESIS, type Tail } from '../domain/block.ts';
import { applyEntry, createLayer, createState, InvariantError, type LedgerState, type StateLayer } from '../domain/ledger-state.ts';
import type { Backlog } from './backlog.ts';
import type { BlockStore } from './ports.ts';

/** What one instance knows of a shard: committed balances, and the block that they are as of. Never anything that is not durable. */
export type Chain = {
  state: LedgerState;
  tail: () => Tail;
  /** Takes in what was appended since, by whomever. @throws InvariantError */
  catchUp: () => Promise<void>;
  /** Takes in a block of our own that is durable now; `layer` is what drafting it did to the balances. */
  accept: (block: Block, layer: StateLayer) => void;
};

/**
 * What a block does to a state, checked as strictly as when it was written.
 * @throws InvariantError naming the block
 */
export const replayBlock = (tail: Tail, state: LedgerState, block: Block): StateLayer => {
  const fail = (problem: string): never => {
    throw new InvariantError(`block ${blockId(block.shard, block.n)}: ${problem}`);
  };
  const problem = chainProblem(tail, block);
  if (problem !== undefined) fail(problem);
  const layer = createLayer(state);
  for (const entry of block.entries) {
    const refusal = applyEntry(layer, entry);
    if (refusal !== undefined) fail(`entry ${entry.id} cannot be applied: ${refusal}`);
  }
  return layer;
};

/** @param projected blocks up to this one are not put into the backlog */
export const createChain = (options: { shard: string; blocks: BlockStore; backlog: Backlog; projected: number }): Chain => {
  const { shard, blocks, backlog, projected } = options;
  const state = createState();
  let tail: Tail = GENESIS;
  const accept = (block: Block, layer: StateLayer): void => {
    layer.merge();
    tail = { n: block.n, hash: block.hash };
    if (block.n > projected) backlog.push(block);
  };
  return {
    state,
    tail: () => tail,
    accept,
    catchUp: async () => {
      for await (const block of blocks.after(shard, tail.n)) accept(block, replayBlock(tail, state, block));
    },
  };
};
