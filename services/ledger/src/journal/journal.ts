import { CodedError, toCodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { startRounds, within } from '@florin/rpc/time';
import type { AccountState } from '../domain/account-state.ts';
import { InvariantError } from '../domain/apply-entry.ts';
import type { Tail } from '../domain/block.ts';
import type { Intent, Verdict } from '../domain/draft-block.ts';
import type { Entry } from '../domain/entry.ts';
import { type MovementChange, type MovementList, movementKey, type Place } from '../domain/movement.ts';
import type { EntryRow } from '../domain/projection.ts';
import { boundStores, STORE_PATIENCE_MS } from './bounded-stores.ts';
import { createCommitter, type Settled } from './committer.ts';
import type { BlockStore, CheckpointStore, PageStore, Projections } from './ports.ts';
import { createProjector } from './projector.ts';
import { openShardMemory } from './shard-memory.ts';

/** How long a caller waits for its block. Beyond that the outcome is unknown to it, and a repeat finds out. */
const PATIENCE_MS = 4000;

/** Pause between two looks whether the balances should be stored. */
const FLUSH_INTERVAL_MS = 5000;

/** How often the projector is woken while the journal is being recovered. */
const PROJECTOR_KICK_MS = 20;

/** What became of an intent, durable when it is answered. */
export type Outcome =
  | { kind: 'created'; entry: Entry; place: Place }
  | Extract<Verdict, { kind: 'exists' }>
  | Extract<Verdict, { kind: 'refused' }>;

/** The journal of one shard. */
export type Journal = {
  shard: string;
  /**
   * Puts entries into the journal, each by itself, or says why not. Judged in their order, against each other as well.
   * @throws CodedError SERVICE_UNAVAILABLE; a repeat then finds out what happened
   */
  append: (intents: readonly Intent[]) => Promise<Outcome[]>;
  /** The same for one entry. Waits until the projections show it, for a bounded time; `projected` tells whether they do. */
  appendOne: (intent: Intent) => Promise<Outcome & { projected: boolean }>;
  /** An account as of the last durable block; undefined when it was never opened. */
  account: (accountId: string) => Promise<AccountState | undefined>;
  /** Balances of the shard's system accounts as of the last durable block, by `<name>/<token>`. */
  systems: () => ReadonlyMap<string, Amount>;
  /** An entry that is durable but perhaps not projected yet. */
  recentEntry: (id: string) => EntryRow | undefined;
  /** Changes of a movement that are durable but not projected yet. Take them before reading the projection, never after. */
  unprojected: (list: MovementList, id: string) => readonly MovementChange[];
  /** Waits, for a bounded time, until the projections show everything that is durable now. */
  projected: () => Promise<boolean>;
  tail: () => Tail;
  /**
   * Reads on: what anybody appended before the call is known when it answers.
   * @throws CodedError SERVICE_UNAVAILABLE
   */
  refresh: () => Promise<void>;
  /** Stores the balances as of the tail. */
  flush: () => Promise<void>;
  /** Whether a writer of a later term has appended. Then this journal takes no entries any more, and is to be closed. */
  deposed: () => boolean;
  /** Rejects when the journal cannot take entries. */
  health: () => Promise<void>;
  close: () => Promise<void>;
};

export type JournalOptions = {
  shard: string;
  /** Term of this writer. */
  epoch: number;
  blocks: BlockStore;
  pages: PageStore;
  checkpoints: CheckpointStore;
  projections: Projections;
  runtime: Pick<Runtime, 'now' | 'randomInt'>;
  logger: Logger;
  /** Most entries in one block. */
  maxBlockEntries: number;
  /** Most entries that wait for a block. */
  maxQueue: number;
  /** Most accounts that are kept in memory without being in use. */
  maxAccounts: number;
  /** How often an instance looks for blocks of others, in milliseconds. */
  refreshMs: number;
  /**
   * How long an answer waits for the projections, in milliseconds. Beyond that it is given from the journal: the money has moved and
   * that will not be undone, so an error would be a lie; lists show it as soon as the engine takes writes again.
   */
  projectionWaitMs: number;
  /** Longest wait for one answer of a store, in milliseconds. Default 10,000. */
  storePatienceMs?: number;
};

/**
 * Opens a shard's journal: recovers its balances and starts to take entries.
 * @throws InvariantError when the stored journal contradicts itself
 */
export const openJournal = async (given: JournalOptions): Promise<Journal> => {
  const options = { ...given, ...boundStores(given, given.storePatienceMs ?? STORE_PATIENCE_MS) };
  const { shard, projections, checkpoints, logger, projectionWaitMs } = options;
  const memory = await openShardMemory(options);
  let broken: InvariantError | undefined;
  let closed = false;

  const committer = createCommitter({
    ...options,
    memory,
    appended: () => projector.kick(),
    failed: (error) => {
      if (error instanceof InvariantError) broken = error;
      logger.error({ err: error, shard }, 'the journal stumbled');
    },
  });
  const projector = createProjector({
    shard,
    backlog: memory.backlog,
    projections,
    checkpoints,
    logger,
    projected: memory.checkpoint.projected,
    dropped: committer.kick,
  });
  // Kicked as it goes: a long way behind, recovery waits for the projections.
  const kicking = setInterval(projector.kick, PROJECTOR_KICK_MS);
  await memory.recover().finally(() => clearInterval(kicking));
  projector.kick();
  const refreshing = setInterval(() => committer.refresh().catch(() => undefined), options.refreshMs);
  const flushing = startRounds({
    round: memory.flush,
    intervalMs: FLUSH_INTERVAL_MS,
    logger,
    failed: 'storing the balances failed, will be repeated',
  });

  const settle = (intents: readonly Intent[]): Promise<Settled[]> => {
    if (closed || broken !== undefined) {
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the journal takes no entries', cause: broken });
    }
    const work = committer.commit(intents);
    return within(PATIENCE_MS, work.settled).catch((error: unknown) => {
      work.abandon();
      throw toCodedError(error);
    });
  };

  const toOutcome = ({ verdict, place }: Settled): Outcome =>
    verdict.kind === 'created' ? { kind: 'created', entry: verdict.entry, place: { ...place, index: verdict.index } } : verdict;

  return {
    shard,
    append: async (intents) => (await settle(intents)).map(toOutcome),
    appendOne: async (intent) => {
      const [settled] = await settle([intent]);
      if (settled === undefined) throw new CodedError('INTERNAL_ERROR');
      const outcome = toOutcome(settled);
      if (outcome.kind === 'refused') return { ...outcome, projected: true };
      // A block beyond our own tail was found through its projection: nothing to wait for.
      const n = outcome.kind === 'created' ? outcome.place.n : outcome.n;
      return { ...outcome, projected: n > memory.tail().n || (await projector.reached(n, projectionWaitMs)) };
    },
    account: memory.pages.read,
    systems: memory.pages.systems,
    recentEntry: memory.backlog.entry,
    unprojected: (list, id) => memory.backlog.changes(movementKey(list, id)),
    projected: () => projector.reached(memory.tail().n, projectionWaitMs),
    tail: memory.tail,
    refresh: () => within(PATIENCE_MS, committer.refresh()),
    flush: memory.flush,
    deposed: committer.deposed,
    health: () => (broken === undefined ? Promise.resolve() : Promise.reject(broken)),
    close: async () => {
      closed = true;
      clearInterval(refreshing);
      await committer.close();
      await flushing.close();
      await projector.close();
      await memory.flush().catch((err: unknown) => logger.warn({ err }, 'the balances were not stored'));
    },
  };
};
