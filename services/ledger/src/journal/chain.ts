import type { Amount } from '@florin/rpc/money';
import { accountsOf, applyEntry, InvariantError } from '../domain/apply-entry.ts';
import { type Block, blockId, chainProblem, entriesOf, type Tail } from '../domain/block.ts';
import type { Entry } from '../domain/entry.ts';
import { createSpeculation, type Speculation, type StateReader } from '../domain/shard-state.ts';

const sameBooked = (stored: readonly Amount[], derived: readonly Amount[]): boolean =>
  stored.length === derived.length && derived.every((amount, index) => amount === stored[index]);

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
 * Applies a block to a state. Checks invariants, not the rules by which its entries were admitted: ids are unique in the block,
 * every entry can be applied (`applyEntry`), and leaves the booked balances that it states.
 * @throws InvariantError naming the block
 */
export const replayEntries = (state: StateReader, block: Block, entries: readonly Entry[]): Speculation => {
  const speculation = createSpeculation(state);
  const ids = new Set<string>();
  for (const entry of entries) {
    const fail = (problem: string, cause?: unknown): never => {
      throw new InvariantError(`block ${blockId(block.shard, block.n)}: entry ${entry.id}: ${problem}`, { cause });
    };
    if (ids.has(entry.id)) fail('its id is not unique');
    ids.add(entry.id);
    let booked: Amount[] = [];
    try {
      booked = applyEntry(speculation, entry);
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error;
      fail(error.message, error);
    }
    if (!sameBooked(entry.booked, booked)) fail('its booked balances are not the derived ones');
  }
  return speculation;
};
