import { within } from '@florin/rpc/time';
import type { HaltedTokens } from '../domain/admit-entry.ts';
import { createDraft, type Intent, judge } from '../domain/draft-block.ts';
import type { KnownEntry } from '../domain/entry.ts';
import { knownEntry } from '../domain/known-entry.ts';
import { createSpeculation } from '../domain/shard-state.ts';
import { ENGINE_TIMEOUT_MS } from './bounded-stores.ts';
import type { EngineClock } from './engine-clock.ts';
import { addMember, type Forming, isFull } from './forming.ts';
import type { Group, Queue } from './queue.ts';
import type { ShardMemory } from './shard-memory.ts';

export type Drafter = {
  /**
   * Judges what waits at the front of the queue, on top of what is being written.
   * @throws LostRaceError, ClockSkewError, InvariantError; and what the stores raise, with everything back in the queue
   */
  step: () => Promise<void>;
  /** Reports whether something waits, and neither the writer nor the projections have to come first. */
  canStep: () => boolean;
  /** Hands the block in the making over to be written; undefined when there is none. */
  take: () => Forming | undefined;
  /** Reports whether a block is in the making. */
  isForming: () => boolean;
  /** Rebases the draft onto the durable state, which now includes the block below it. */
  rebase: () => void;
};

export type DrafterOptions = {
  memory: ShardMemory;
  queue: Queue;
  clock: Pick<EngineClock, 'sealingTime'>;
  maxBlockEntries: number;
  /** Tokens that cannot be spent now. Default: none. */
  haltedTokens?: () => HaltedTokens;
  /** The block that is being written. */
  writing: () => Forming | undefined;
};

/** Judges intents, in the order in which they came, against the balances that the block being written will leave behind. */
export const createDrafter = (options: DrafterOptions): Drafter => {
  const { memory, queue, clock, maxBlockEntries, haltedTokens, writing } = options;
  const { pages, index } = memory;
  let forming: Forming | undefined;

  const newForming = (round: number): Forming => {
    const tail = memory.tail();
    const current = writing();
    // The block that is being written counts as written, unless it has been taken in already.
    const below = current !== undefined && current.n > tail.n ? current : undefined;
    const n = below === undefined ? tail.n + 1 : below.n + (below.entries.length > 0 ? 1 : 0);
    const at = clock.sealingTime((below ?? tail).at);
    return { ...createDraft(n, at, createSpeculation(below?.state ?? pages), haltedTokens?.()), round, judged: 0, bytes: 0, members: [] };
  };

  const inOne = (draft: Forming | undefined, id: string): KnownEntry | undefined => {
    const entry = draft?.known.get(id);
    return draft === undefined || entry === undefined ? undefined : knownEntry(draft.n, entry);
  };
  const inDraft = (id: string): KnownEntry | undefined => inOne(forming, id) ?? inOne(writing(), id);

  /** Looks the ids up. Nearly all are new, which memory alone can tell. */
  const lookUp = async (intents: readonly Intent[]): Promise<ReadonlyMap<string, KnownEntry>> => {
    const found = new Map<string, KnownEntry>();
    const rest = new Map<string, readonly string[]>();
    const look = (id: string, accounts: readonly string[]): void => {
      const known = inDraft(id);
      if (known !== undefined) found.set(id, known);
      else if (index.mayHave(id)) rest.set(id, accounts);
    };
    for (const { id, former, excludedBy, accounts } of intents) {
      look(id, accounts);
      if (former !== undefined) look(former.id, accounts);
      if (excludedBy !== undefined) look(excludedBy.id, accounts);
    }
    if (rest.size > 0) for (const [id, known] of await within(ENGINE_TIMEOUT_MS, index.known(rest))) found.set(id, known);
    return found;
  };

  const draft = (groups: readonly Group[], found: ReadonlyMap<string, KnownEntry>, round: number): void => {
    forming ??= newForming(round);
    forming.round = round;
    const target = forming;
    // Entries of the block that is being written were found as well: it was drafted before these were looked up.
    const known = (id: string) => found.get(id);
    for (const [index, group] of groups.entries()) {
      if (isFull(target, maxBlockEntries)) {
        queue.putBack(groups.slice(index));
        return;
      }
      const verdicts = group.intents.map((intent) => judge(target, intent, known));
      addMember(target, group, verdicts);
    }
  };

  const canStep = (): boolean => queue.size() > 0 && memory.hasRoom() && !(forming !== undefined && isFull(forming, maxBlockEntries));

  return {
    canStep,
    step: async () => {
      const groups = queue.take(maxBlockEntries);
      if (groups.length === 0) return;
      const intents = groups.flatMap((group) => group.intents);
      try {
        const round = pages.beginRound();
        const [found] = await Promise.all([lookUp(intents), pages.load(new Set(intents.flatMap(({ accounts }) => accounts)), round)]);
        draft(groups, found, round);
      } catch (error) {
        queue.putBack(groups);
        throw error;
      }
    },
    take: () => {
      const taken = forming;
      forming = undefined;
      return taken;
    },
    isForming: () => forming !== undefined,
    rebase: () => forming?.state.rebase(pages),
  };
};
