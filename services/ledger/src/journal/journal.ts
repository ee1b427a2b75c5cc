import { CodedError, toCodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { pause, startRounds, within } from '@florin/rpc/time';
import type { AccountState } from '../domain/account-state.ts';
import type { HaltedTokens } from '../domain/admit-entry.ts';
import type { Tail } from '../domain/block.ts';
import type { Intent, Verdict } from '../domain/draft-block.ts';
import type { Entry } from '../domain/entry.ts';
import { type MovementChange, type MovementList, movementKey, type Place } from '../domain/movement.ts';
import type { EntryRow } from '../domain/projection.ts';
import { createIndexer } from '../runs/indexer.ts';
import type { EntryQuery } from '../runs/recent-entries.ts';
import { boundStores, type JournalStores, STORE_PATIENCE_MS } from './bounded-stores.ts';
import { createCommitter } from './committer.ts';
import { createEngineClock } from './engine-clock.ts';
import { startFlushes } from './flush-rounds.ts';
import { createProjector } from './projector.ts';
import type { Settled } from './queue.ts';
import { openShardMemory, type ShardMemory } from './shard-memory.ts';
import type { WriterEnd } from './writer-state.ts';

/** How long a caller waits for its block. Beyond that the outcome is unknown to it, and a repeat finds out. */
const PATIENCE_MS = 4000;

/** Pause between two comparisons of the clock with the engine's. */
const CLOCK_INTERVAL_MS = 1000;

/** How often the projector is woken while the journal is being recovered. */
const PROJECTOR_KICK_MS = 20;

const RUNS_PER_MERGE = 16;

/** Pause between two looks of a successor for new blocks. */
const FOLLOW_MS = 50;

/** The outcome of an intent, durable when it is returned. */
export type Outcome =
  | { kind: 'created'; entry: Entry; place: Place }
  | Extract<Verdict, { kind: 'exists' }>
  | Extract<Verdict, { kind: 'refused' }>;

/** The journal of one shard during one term of writing. */
export type Journal = {
  shard: string;
  /**
   * Puts entries into the journal, each by itself, or says why not. Judged in their order, against each other as well.
   * @throws CodedError SERVICE_UNAVAILABLE; a repeat then finds out what happened
   */
  append: (intents: readonly Intent[]) => Promise<Outcome[]>;
  /** The same without the entries' places. */
  judge: (intents: readonly Intent[]) => Promise<readonly Verdict[]>;
  /** The same for one entry. Waits until the projections show it, for a bounded time; `projected` tells whether they do. */
  appendOne: (intent: Intent) => Promise<Outcome & { projected: boolean }>;
  /** An account as of the last durable block; undefined when it was never opened. */
  account: (accountId: string) => Promise<AccountState | undefined>;
  /** Balances of the shard's system accounts as of the last durable block, by `<name>/<token>`. */
  systems: () => ReadonlyMap<string, Amount>;
  /**
   * An entry by its id.
   * @param accounts accounts that it may be about: what finds it when its block is archived
   */
  entry: (id: string, accounts: readonly string[]) => Promise<EntryRow | undefined>;
  /** The durable entries that move an account's money, newest first. */
  entries: (accountId: string, query: EntryQuery) => Promise<EntryRow[]>;
  /** Changes of a movement that are durable but not projected yet. To be taken before the projection is read, never after. */
  unprojected: (list: MovementList, id: string) => readonly MovementChange[];
  /** Waits, for a bounded time, until the projections show everything that is durable now. */
  projected: () => Promise<boolean>;
  tail: () => Tail;
  /** Entries that wait for a block. */
  waiting: () => number;
  /** How long nothing was written although something waits for it, in milliseconds. */
  stuckMs: () => number;
  /**
   * Makes sure that this journal has the shard's last block, so that what it returns next is not stale.
   * @throws CodedError SERVICE_UNAVAILABLE when it has not, and its term is over
   */
  assertTail: () => Promise<void>;
  /** Stores the balances as of the tail. @throws LostRaceError when a later term has claimed the checkpoint; then this one is over */
  flush: () => Promise<void>;
  /** Number of blocks after the checkpoint: the next start after a kill replays them. */
  sinceCheckpoint: () => number;
  /** Settles when the term is over, and how it ended. The journal is then to be closed, and opened again for a new term. */
  ended: Promise<WriterEnd>;
  /**
   * Prepares for a successor: stores the balances, and from then on neither stores them again nor writes runs, so that what the
   * successor reads stays as it is.
   */
  settle: () => Promise<void>;
  /** Takes `settle` back: the successor reads the journal no more, and this writer goes on. */
  resume: () => void;
  /** Ends the term in favour of a successor that has read the journal: finishes the write under way, and rejects what has not begun. */
  seal: () => Promise<void>;
  /** Rejects when the journal takes no entries, also when it waits for what is written behind it, and callers are rejected. */
  health: () => Promise<void>;
  close: () => Promise<void>;
};

export type JournalOptions = JournalStores & {
  shard: string;
  /** Term of this writer: above that of the shard's last block. */
  epoch: number;
  runtime: Pick<Runtime, 'now'>;
  /** Milliseconds of a clock that is never set. Default: the process's. */
  monotonicMs?: () => number;
  logger: Logger;
  /** Called with the number of entries of each block, and the milliseconds that its write took. */
  measureBlock?: ((entries: number, ms: number) => void) | undefined;
  /** Most entries in one block. */
  maxBlockEntries: number;
  /** Tokens that cannot be spent now. Default: none. */
  haltedTokens?: () => HaltedTokens;
  /** Most entries that wait for a block. */
  maxQueue: number;
  /** Entries of a run: so many at least are held in memory, and read from blocks at a start. */
  runEntries: number;
  /** Runs that are merged into one. Default 16. */
  runsPerMerge?: number;
  /** Most accounts that are kept in memory without being in use. */
  maxAccounts: number;
  /** How often the journal is checked for blocks of another writer, in milliseconds. */
  refreshMs: number;
  /**
   * How long an answer waits for the projections, in milliseconds. Beyond that it is given from the journal: the money has moved and
   * that will not be undone, so an error would be wrong; lists show it as soon as the engine takes writes again.
   */
  projectionWaitMs: number;
  /** Longest wait for one answer of a store, in milliseconds. Default 10,000. */
  storePatienceMs?: number;
};

const withBounds = <O extends Omit<JournalOptions, 'epoch'>>(given: O): O => ({
  ...given,
  ...boundStores(given, given.storePatienceMs ?? STORE_PATIENCE_MS),
});

const toOutcome = (verdict: Verdict, place: Settled['place']): Outcome =>
  verdict.kind === 'created' ? { kind: 'created', entry: verdict.entry, place: { ...place, index: verdict.index } } : verdict;

/** Opens a shard's journal for a term of writing. @throws as `writeOn` does */
export const openJournal = async (given: JournalOptions): Promise<Journal> => {
  const options = withBounds(given);
  const memory = await openShardMemory(options, options.epoch);
  return writeOn(options, memory);
};

/** A shard in memory at the successor of its owner: it is read as it is written, and nothing is written until the term begins. */
export type Standby = {
  /** Resolves when the memory is warm: the runs are open, all blocks and the pages of the accounts used lately are in memory. */
  warm: Promise<void>;
  /** Begins a term. To be called once. @throws as `openJournal` does */
  begin: (epoch: number) => Promise<Journal>;
  close: () => Promise<void>;
};

export const standBy = (given: Omit<JournalOptions, 'epoch'>): Standby => {
  const options = withBounds(given);
  const warm = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const { signal } = stopping;
  const opening = openShardMemory(options);

  const follow = async (): Promise<void> => {
    const memory = await opening;
    await memory.recover(signal);
    await memory.warm();
    for (;;) {
      await memory.readOn(signal);
      warm.resolve();
      await memory.dropProjected();
      await pause(FOLLOW_MS, undefined, { signal });
    }
  };
  const following = follow().catch((error: unknown) => {
    warm.reject(error);
    if (!signal.aborted) throw error;
  });
  // Thrown where the term begins.
  for (const one of [warm.promise, following]) one.catch(() => undefined);
  const close = async (): Promise<void> => {
    stopping.abort();
    await following;
  };
  return {
    warm: warm.promise,
    begin: async (epoch) => {
      await close();
      const memory = await opening;
      await memory.claim(epoch);
      return writeOn({ ...options, epoch }, memory);
    },
    close: () => close().catch(() => undefined),
  };
};

/**
 * Takes in the rest of the journal, appends the empty block that begins the term, and takes entries from then on.
 * @throws LostRaceError when another writer has begun a term since, or this term is not above that of the last block
 * @throws ClockSkewError when the clock disagrees with the engine's
 * @throws InvariantError when the stored journal contradicts itself
 */
const writeOn = async (options: JournalOptions, memory: ShardMemory): Promise<Journal> => {
  const { shard, blocks, projections, checkpoints, logger, projectionWaitMs, runtime } = options;
  const ended = Promise.withResolvers<WriterEnd>();
  const opening = new AbortController();
  let problem: unknown;
  /** A successor may have read the stored balances, so they stay as they are. */
  let areRead = false;
  const clock = createEngineClock({
    engineTime: blocks.time,
    now: runtime.now,
    monotonicMs: options.monotonicMs ?? (() => performance.now()),
  });
  const committer = createCommitter({
    ...options,
    memory,
    clock,
    appended: () => kickAll(),
    ended: (end, error) => {
      problem = error;
      opening.abort(error);
      if (end !== 'closed') logger.warn({ err: error, shard, end }, 'a term of writing has ended');
      ended.resolve(end);
    },
  });
  const projector = createProjector({
    shard,
    backlog: memory.backlog,
    projections,
    checkpoints,
    logger,
    projected: memory.projected(),
    dropped: committer.kick,
  });
  const startIndexer = () =>
    createIndexer({
      ...options,
      runsPerMerge: options.runsPerMerge ?? RUNS_PER_MERGE,
      index: memory.index,
      dropped: committer.kick,
      endsWith: committer.endsWith,
    });
  let indexer = startIndexer();
  const kickAll = (): void => {
    projector.kick();
    indexer.kick();
  };
  // Wakes the projector regularly: recovery waits for it when it is far behind.
  const kicking = setInterval(kickAll, PROJECTOR_KICK_MS);
  const recovered = memory.recover(opening.signal);
  try {
    await Promise.all([recovered, clock.sync()]);
    await committer.open();
  } catch (error) {
    opening.abort(error);
    await recovered.catch(() => undefined);
    await committer.close();
    await Promise.all([projector.close(), indexer.close()]);
    throw error;
  } finally {
    clearInterval(kicking);
  }
  const watching = startRounds({
    round: committer.assertTail,
    intervalMs: options.refreshMs,
    logger,
    failed: 'the tail of the journal was not checked',
  });
  const compareClocks = (): Promise<void> => clock.sync().then(committer.checkClock);
  const timing = startRounds({ round: compareClocks, intervalMs: CLOCK_INTERVAL_MS, logger, failed: "the engine's time was not read" });
  const flush = (): Promise<void> =>
    memory.flush().catch((error: unknown) => {
      committer.endsWith(error);
      throw error;
    });
  let flushing = startFlushes(flush, logger);

  const settle = (intents: readonly Intent[]): Promise<Settled> => {
    const work = committer.commit(intents);
    return within(PATIENCE_MS, work.settled).catch((error: unknown) => {
      work.abandon();
      throw toCodedError(error);
    });
  };

  return {
    shard,
    judge: async (intents) => (await settle(intents)).verdicts,
    append: async (intents) => {
      const { verdicts, place } = await settle(intents);
      return verdicts.map((verdict) => toOutcome(verdict, place));
    },
    appendOne: async (intent) => {
      const { verdicts, place } = await settle([intent]);
      const [verdict] = verdicts;
      if (verdict === undefined) throw new CodedError('INTERNAL_ERROR');
      const outcome = toOutcome(verdict, place);
      if (outcome.kind === 'refused') return { ...outcome, projected: true };
      return { ...outcome, projected: await projector.reached(outcome.kind === 'created' ? outcome.place.n : outcome.n, projectionWaitMs) };
    },
    account: memory.pages.read,
    systems: memory.pages.systems,
    entry: memory.index.find,
    entries: memory.index.page,
    unprojected: (list, id) => memory.backlog.changes(movementKey(list, id)),
    projected: () => projector.reached(memory.tail().n, projectionWaitMs),
    tail: memory.tail,
    waiting: committer.waiting,
    stuckMs: committer.stuckMs,
    assertTail: () => within(PATIENCE_MS, committer.assertTail()),
    flush,
    sinceCheckpoint: memory.sinceCheckpoint,
    settle: async () => {
      await Promise.all([flushing.close(), indexer.close()]);
      await flush();
      areRead = true;
    },
    resume: () => {
      areRead = false;
      indexer = startIndexer();
      flushing = startFlushes(flush, logger);
    },
    seal: async () => {
      areRead = true;
      await committer.close();
    },
    ended: ended.promise,
    health: async () => {
      if (committer.state() !== 'open') throw problem ?? new Error('the journal is closed');
      if (memory.fullMs() > PATIENCE_MS) throw new Error(`shard ${shard} takes no entries: its projections or runs of entries lag behind`);
    },
    close: async () => {
      const indexed = indexer.close();
      await Promise.all([committer.close(), watching.close(), timing.close(), flushing.close()]);
      // Also after a lost race: the balances were durable, and later ones are not overwritten. Waits for nothing else: a stop has a deadline.
      const flushed = areRead
        ? undefined
        : memory.flush().catch((err: unknown) => logger.warn({ err, shard }, 'the balances were not stored'));
      await Promise.all([flushed, projector.close(), indexed]);
    },
  };
};
