import type { Amount } from '@florin/rpc/money';
import { accountsOf, applyEntry, InvariantError, type Settled } from '../domain/apply-entry.ts';
import { type Block, blockId, chainProblem, entriesOf, type Tail } from '../domain/block.ts';
import type { Entry } from '../domain/entry.ts';
import { createSpeculation, type Speculation, type StateReader } from '../domain/shard-state.ts';

const sameBooked = (stored: readonly Amount[], derived: readonly (Amount | undefined)[]): boolean =>
  stored.length === derived.length && derived.every((amount, index) => amount === undefined || amount === stored[index]);

/** A block's entries. @throws InvariantError when they cannot be read, or the block does not follow `tail` */
export const readBlock = (tail: Tail, block: Block): Entry[] => {
  const fail = (problem: string): never => {
    throw new InvariantError(`block ${blockId(block.shard, block.n)}: ${problem}`);
  };
  const problem = chainProblem(tail, block);
  if (problem !== undefined) fail(problem);
  try {
    return entriesOf(block);
  } catch (cause) {
    throw new InvariantError(`block ${blockId(block.shard, block.n)} cannot be read`, { cause });
  }
};

export const accountsOfEntries = (entries: readonly Entry[]): Set<string> => new Set(entries.flatMap(accountsOf));

/**
 * What a block does to a state, checked as strictly as when it was written.
 * @param settled what stored pages hold already
 * @throws InvariantError naming the block
 */
export const replayEntries = (state: StateReader, block: Block, entries: readonly Entry[], settled?: Settled): Speculation => {
  const speculation = createSpeculation(state);
  for (const entry of entries) {
    const applied = applyEntry(speculation, entry, block.at, settled);
    const problem =
      applied.refusal ?? (sameBooked(entry.booked, applied.booked) ? undefined : 'its booked balances are not what they should be');
    if (problem !== undefined) throw new InvariantError(`block ${blockId(block.shard, block.n)}: entry ${entry.id}: ${problem}`);
  }
  return speculation;
};
