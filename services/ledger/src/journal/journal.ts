import { CodedError, toCodedError } from '@florin/kit/errors';
import type { Logger } from '@florin/kit/observe';
import type { Runtime } from '@florin/kit/runtime';
import type { Tail } from '../domain/block.ts';
import type { Intent, Verdict } from '../domain/draft-block.ts';
import type { Entry } from '../domain/entry.ts';
import { InvariantError, type LedgerState } from '../domain/ledger-state.ts';
import { type MovementChange, type MovementList, movementKey, type Place } from '../domain/movement.ts';
import { createBacklog } from './backlog.ts';
import { createChain } from './chain.ts';
import { createBatchCommitter, type Settled } from './commit-batch.ts';
import type { BlockStore, Projections } from './ports.ts';
import { createProjector } from './projector.ts';

/** Durable blocks may run ahead of the projections by so many entries. Then the journal waits for them, so that memory stays bounded. */
const MAX_BACKLOG_ENTRIES = 100_000;

/** What became of an intent, durable when it is answered. */
export type Outcome =
  | { kind: 'created'; entry: Entry; place: Place; projected: boolean }
  | { kind: 'exists'; same: boolean; projected: boolean }
  | Extract<Verdict, { kind: 'refused' }>;

export type Journal = {
  /** Puts an entry into the journal, or says why not. @throws CodedError SERVICE_UNAVAILABLE; a repeat then finds out what happened */
  append: (intent: Intent) => Promise<Outcome>;
  /** Balance as of the last durable block that this instance knows. */
  balance: LedgerState['balance'];
  /** Changes of a movement that are durable but not projected yet. Take them before reading the projection, never after. */
  unprojected: (list: MovementList, id: string) => readonly MovementChange[];
  /** The state and the block that it is as of, frozen, for the audit. */
  snapshot: () => { shard: string; tail: Tail; state: LedgerState };
  /** Rejects when the journal cannot take entries. */
  health: () => Promise<void>;
  close: () => Promise<void>;
};

export type JournalOptions = {
  shard: string;
  /** Term of this writer. */
  epoch: number;
  blocks: BlockStore;
  projections: Projections;
  runtime: Runtime;
  logger: Logger;
  /** Most entries in one block. */
  maxBlockEntries: number;
  /** Most intents that wait for a block. */
  maxQueue: number;
  /** How often an instance looks for blocks of others, in milliseconds. */
  refreshMs: number;
  /**
   * How long an answer waits for the projections, in milliseconds. Beyond that it is given from the journal: the money has moved and
   * that will not be undone, so an error would be a lie; lists show it as soon as the engine takes writes again.
   */
  projectionWaitMs: number;
};

type Waiting = { intent: Intent; resolve: (settled: Settled) => void; reject: (error: CodedError) => void };

/**
 * Opens a shard's journal: replays it into memory and starts the single loop that drafts, writes and takes in blocks.
 * Intents that arrive while a block is being written wait, and become the next block together (group commit).
 * @throws InvariantError when the stored journal contradicts itself
 */
export const openJournal = async (options: JournalOptions): Promise<Journal> => {
  const { shard, blocks, projections, logger, maxBlockEntries, maxQueue } = options;
  const projected = await projections.loadCheckpoint(shard);
  const backlog = createBacklog();
  const chain = createChain({ shard, blocks, backlog, projected });
  await chain.catchUp();
  const projector = createProjector({ shard, backlog, projections, logger, projected });
  projector.kick();
  const commitBatch = createBatchCommitter({ ...options, backlog, chain, appended: projector.kick });

  const queue: Waiting[] = [];
  let running: Promise<void> | undefined;
  let closed = false;
  let broken: InvariantError | undefined;

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const settled = await commitBatch(batch.map(({ intent }) => intent));
      batch.forEach(({ resolve, reject }, index) => {
        const one = settled[index];
        if (one === undefined) reject(new CodedError('INTERNAL_ERROR'));
        else resolve(one);
      });
    } catch (error) {
      if (error instanceof InvariantError) broken = error;
      const coded = toCodedError(error);
      for (const { reject } of batch) reject(coded);
    }
  };

  const run = async (): Promise<void> => {
    while (!closed && broken === undefined && queue.length > 0) await commit(queue.splice(0, maxBlockEntries));
    const coded = new CodedError('SERVICE_UNAVAILABLE', { message: 'the journal is closed', cause: broken });
    for (const { reject } of queue.splice(0)) reject(coded);
  };

  const refresh = async (): Promise<void> => {
    try {
      await chain.catchUp();
      projector.kick();
    } catch (err) {
      if (err instanceof InvariantError) broken = err;
      logger.warn({ err }, 'reading the journal failed');
    }
  };

  /** Starts the loop unless it runs. It is the only code that touches the chain. */
  const kick = (first: () => Promise<void> = run): void => {
    if (running !== undefined) return;
    running = first().finally(() => {
      running = undefined;
      if (queue.length > 0) kick();
    });
  };

  const timer = setInterval(() => kick(refresh), options.refreshMs);

  const settle = (intent: Intent): Promise<Settled> =>
    new Promise((resolve, reject) => {
      if (closed || broken !== undefined || queue.length >= maxQueue || backlog.size() >= MAX_BACKLOG_ENTRIES) {
        reject(new CodedError('SERVICE_UNAVAILABLE', { message: 'the journal takes no more entries now', cause: broken }));
        return;
      }
      queue.push({ intent, resolve, reject });
      kick();
    });

  return {
    append: async (intent) => {
      const { verdict, n, at } = await settle(intent);
      if (verdict.kind === 'refused') return verdict;
      // A block beyond our own tail was found through its projection: nothing to wait for.
      const settledIn = verdict.kind === 'created' ? n : verdict.n;
      const projectedNow = settledIn > chain.tail().n || (await projector.reached(settledIn, options.projectionWaitMs));
      if (verdict.kind === 'exists') return { kind: 'exists', same: verdict.same, projected: projectedNow };
      return { kind: 'created', entry: intent.entry, place: { n, index: verdict.index, at }, projected: projectedNow };
    },
    balance: chain.state.balance,
    unprojected: (list, id) => backlog.changes(movementKey(list, id)),
    snapshot: () => ({ shard, tail: chain.tail(), state: chain.state.copy() }),
    health: () => (broken === undefined ? Promise.resolve() : Promise.reject(broken)),
    close: async () => {
      closed = true;
      clearInterval(timer);
      await running;
      await projector.close();
    },
  };
};
