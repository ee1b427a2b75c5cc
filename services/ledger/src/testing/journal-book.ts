import { quietLogger } from '@florin/rpc/testing';
import type { Intent } from '../domain/draft-block.ts';
import type { Entry } from '../domain/entry.ts';
import { applyChange, keyOfChange, type Movement, movementChange, movementKey } from '../domain/movement.ts';
import { type Journal, type Outcome, openJournal } from '../journal/journal.ts';
import { verifyShard } from './audit-memory.ts';
import type { Clock, Command } from './commands.ts';
import { intentOfCommand } from './intents.ts';
import type { MemoryStores } from './memory-stores.ts';

const SHARD = '0';

export const openJournalOf = (stores: MemoryStores, clock: Clock, epoch: number, maxAccounts = 1): Promise<Journal> =>
  openJournal({
    shard: SHARD,
    epoch,
    ...stores,
    runtime: { now: clock.now },
    monotonicMs: () => clock.now().getTime(),
    logger: quietLogger,
    maxBlockEntries: 3,
    maxQueue: 1000,
    runEntries: 5,
    runsPerMerge: 3,
    maxAccounts,
    refreshMs: 3_600_000,
    projectionWaitMs: 2000,
  });

export const verify = (stores: MemoryStores) => verifyShard({ shard: SHARD, ...stores });

/** Movements as a caller knows them: from the outcomes that it received. */
export const createBook = () => {
  const movements = new Map<string, Movement>();
  const entries = new Map<string, Entry>();
  return {
    intentOf: (c: Command) =>
      intentOfCommand(c, {
        movement: (id) => movements.get(movementKey('deposits', id)) ?? movements.get(movementKey('withdrawals', id)),
        entry: (id) => entries.get(id),
      }),
    take: (outcome: Outcome): void => {
      if (outcome.kind !== 'created') return;
      entries.set(outcome.entry.id, outcome.entry);
      const change = movementChange(outcome.entry, outcome.place);
      const after = change && applyChange(movements.get(keyOfChange(change)), change);
      if (change !== undefined && after !== undefined) movements.set(keyOfChange(change), after);
    },
  };
};

export const intentOf = (book: ReturnType<typeof createBook>, c: Command): Intent[] => {
  const intent = book.intentOf(c);
  return intent === undefined || typeof intent === 'string' ? [] : [intent];
};
