import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { pause, within } from '@florin/rpc/time';
import { InvariantError } from '../domain/apply-entry.ts';
import { encodeEntries, sealBlock } from '../domain/block.ts';
import { createDraft, type Draft, type Intent, judge, type Verdict } from '../domain/draft-block.ts';
import type { Entry, KnownEntry } from '../domain/entry.ts';
import type { Place } from '../domain/movement.ts';
import { createSpeculation } from '../domain/shard-state.ts';
import { appendBlock } from './append-block.ts';
import type { BlockStore, Projections } from './ports.ts';
import { MAX_BACKLOG_ENTRIES, type ShardMemory } from './shard-memory.ts';

const ENGINE_TIMEOUT_MS = 3000;

/** A block is one document, and the engine takes none above 16 MiB. One call more fits on top of this (it brings 1 MiB at most). */
const MAX_BLOCK_BYTES = 8 * 1024 * 1024;

/** No less than the length of an entry's line: ids, hash and facts, and per transfer its sides, amount and booked balances. */
const bytesOf = ({ transfers }: Entry): number => 700 + 350 * transfers.length;

/** Pause after something failed that is tried again; after a lost race at random up to this, so that two writers get out of step. */
const RETRY_MS = 100;
const LOST_RACE_MS = 20;

/** A verdict that rests on durable blocks; the place is that of the block that was drafted for it. */
export type Settled = { verdict: Verdict; place: Omit<Place, 'index'> };

/** Intents of one caller. */
type Group = {
  intents: readonly Intent[];
  resolve: (settled: Settled[]) => void;
  reject: (error: unknown) => void;
  abandoned: boolean;
};

/** A block in the making, and who waits for it. */
type Forming = Draft & { round: number; judged: number; bytes: number; members: { group: Group; verdicts: Verdict[] }[] };

export type Committer = {
  commit: (intents: readonly Intent[]) => { settled: Promise<Settled[]>; abandon: () => void };
  /** Goes on after something it waited for has changed. */
  kick: () => void;
  /**
   * Takes in what others appended: everything that is in the journal when it is called is known when it answers.
   * @throws CodedError SERVICE_UNAVAILABLE when the journal closes before
   */
  refresh: () => Promise<void>;
  /** Whether a writer of a later term has appended: this one appends nothing any more. */
  deposed: () => boolean;
  /** Ends the write under way; what has not begun is refused. */
  close: () => Promise<void>;
};

export type CommitterOptions = {
  shard: string;
  epoch: number;
  memory: ShardMemory;
  blocks: BlockStore;
  projections: Pick<Projections, 'findEntries'>;
  runtime: Pick<Runtime, 'now' | 'randomInt'>;
  logger: Logger;
  maxBlockEntries: number;
  maxQueue: number;
  /** Called after each block that was appended. */
  appended: () => void;
  failed: (error: unknown) => void;
};

/**
 * Turns intents into blocks (group commit). While a block is being written, the intents that arrive are judged against the balances
 * that it will leave behind, and become the next block together: drafting and writing overlap, writing itself is one after the other.
 *
 * Nothing is answered, not even a refusal, before it rests on durable blocks. When another writer takes the number, everything that
 * was drafted is dropped and judged again.
 */
export const createCommitter = (options: CommitterOptions): Committer => {
  const { shard, epoch, memory, blocks, projections, runtime, logger, maxBlockEntries, maxQueue, appended, failed } = options;
  const { pages, backlog } = memory;
  let queue: Group[] = [];
  let queued = 0;
  let forming: Forming | undefined;
  let writing: Forming | undefined;
  /** The tail may have moved without us: nothing is judged before it is read. */
  let stale = false;
  /** Whether a block of this term is in the journal. From then on no writer of an earlier term can append any more. */
  let anchored = false;
  /** Whether a writer of a later term has appended. Then it is not for us to judge what it may have refused. */
  let deposed = false;
  /** Counts the times that drafts were dropped. */
  let drops = 0;
  let preparing: Promise<void> | undefined;
  let writer: Promise<void> | undefined;
  let closed = false;
  const isOver = (): boolean => closed || deposed;
  /** Settles when something that was under way has ended. */
  let step = Promise.withResolvers<void>();
  const stepped = (): void => {
    step.resolve();
    step = Promise.withResolvers();
  };

  const newForming = (round: number): Forming => {
    const tail = memory.tail();
    // What is being written counts as written, unless it is taken in already.
    const below = writing !== undefined && writing.n > tail.n ? writing : undefined;
    const n = below === undefined ? tail.n + 1 : below.n + (below.entries.length > 0 ? 1 : 0);
    const at = new Date(Math.max(runtime.now().getTime(), (below ?? tail).at.getTime()));
    return { ...createDraft(n, at, createSpeculation(below?.state ?? pages)), round, judged: 0, bytes: 0, members: [] };
  };

  const inDraft = (id: string): KnownEntry | undefined => forming?.known.get(id) ?? writing?.known.get(id);

  /** What is in the journal under the ids. First what is in memory: what leaves it while we ask the projection is in the projection by then. */
  const lookUp = async (intents: readonly Intent[]): Promise<Map<string, KnownEntry>> => {
    const found = new Map<string, KnownEntry>();
    const rest = new Set<string>();
    for (const { id, excludedBy } of intents) {
      for (const one of excludedBy === undefined ? [id] : [id, excludedBy.id]) {
        const known = inDraft(one) ?? backlog.known(one);
        if (known === undefined) rest.add(one);
        else found.set(one, known);
      }
    }
    if (rest.size === 0) return found;
    for (const [id, known] of await within(ENGINE_TIMEOUT_MS, projections.findEntries(shard, [...rest]))) found.set(id, known);
    return found;
  };

  const take = (): Group[] => {
    const groups: Group[] = [];
    let count = 0;
    while (queue.length > 0) {
      const [next] = queue;
      if (next === undefined || (groups.length > 0 && count + next.intents.length > maxBlockEntries)) break;
      queue.shift();
      queued -= next.intents.length;
      if (next.abandoned) continue;
      groups.push(next);
      count += next.intents.length;
    }
    return groups;
  };

  const refuse = (groups: readonly Group[], message: string): void => {
    for (const { reject } of groups) reject(new CodedError('SERVICE_UNAVAILABLE', { message }));
  };

  const putBack = (groups: readonly Group[]): void => {
    if (isOver()) {
      refuse(groups, 'the journal takes no more entries');
      return;
    }
    queue = [...groups, ...queue];
    queued += groups.reduce((sum, { intents }) => sum + intents.length, 0);
  };

  /** What is refused counts as well: it waits for the writer like the rest. */
  const isFull = ({ judged, bytes }: Forming): boolean => judged >= maxBlockEntries || bytes >= MAX_BLOCK_BYTES;

  const draft = (groups: readonly Group[], found: ReadonlyMap<string, KnownEntry>, round: number): void => {
    forming ??= newForming(round);
    forming.round = round;
    const target = forming;
    const known = (id: string) => writing?.known.get(id) ?? backlog.known(id) ?? found.get(id);
    for (const [index, group] of groups.entries()) {
      if (isFull(target)) {
        putBack(groups.slice(index));
        return;
      }
      const verdicts = group.intents.map((intent) => judge(target, intent, known));
      for (const verdict of verdicts) if (verdict.kind === 'created') target.bytes += bytesOf(verdict.entry);
      target.judged += verdicts.length;
      target.members.push({ group, verdicts });
    }
  };

  const canPrepare = (): boolean =>
    !isOver() &&
    queue.length > 0 &&
    backlog.size() < MAX_BACKLOG_ENTRIES &&
    !(forming !== undefined && isFull(forming)) &&
    !(stale && (writing !== undefined || forming !== undefined));

  /** One step of judging what waits. Answers false when it has to wait for the writer or the projections. */
  const prepare = async (): Promise<boolean> => {
    if (!canPrepare()) return false;
    if (stale) {
      await catchUp();
      if (isOver()) return false;
      stale = false;
    }
    const groups = take();
    if (groups.length === 0) return true;
    const dropsBefore = drops;
    const round = pages.beginRound();
    const intents = groups.flatMap((group) => group.intents);
    try {
      const [found] = await Promise.all([lookUp(intents), pages.load(new Set(intents.flatMap(({ accounts }) => accounts)), round)]);
      if (drops !== dropsBefore || stale) putBack(groups);
      else draft(groups, found, round);
    } catch (error) {
      putBack(groups);
      throw error;
    }
    return true;
  };

  const refuseQueued = (message: string): void => {
    refuse(queue.splice(0), message);
    queued = 0;
  };

  /**
   * Takes in what others appended. Ends this writer when one of them is of a later term: what waits here may have been repeated there,
   * and refused there; judged here once more, it could come true after all. It still reads on, and shows what others append.
   */
  const catchUp = async (): Promise<void> => {
    await memory.catchUp();
    if (memory.foreignTerm() <= epoch) return;
    deposed = true;
    refuseQueued('another writer has taken over');
  };

  /** Nothing that was drafted stands, what is under way least of all: what comes after it rests on it. */
  const dropDrafts = (): void => {
    drops += 1;
    stale = true;
    const members = [...(writing?.members ?? []), ...(forming?.members ?? [])];
    forming = undefined;
    putBack(members.map(({ group }) => group));
  };

  /** Whether no other writer went on from the tail that we know. */
  const isTail = async (): Promise<boolean> => (await within(ENGINE_TIMEOUT_MS, blocks.find(shard, memory.tail().n + 1))) === undefined;

  const append = async (work: Pick<Forming, 'at' | 'entries' | 'state'>): Promise<boolean | undefined> => {
    const block = sealBlock(memory.tail(), { shard, epoch, at: work.at, lines: encodeEntries(work.entries) });
    const stands = await appendBlock(blocks, block, logger, isOver);
    if (stands !== true) return stands;
    anchored = true;
    memory.accept(block, work.entries, work.state);
    appended();
    return true;
  };

  /** Writes a draft, or finds out that it is none. Answers whether its verdicts stand; undefined when told to give up. */
  const write = async (work: Forming): Promise<boolean | undefined> => {
    if (work.entries.length > 0) return append(work);
    if (!work.members.some(({ verdicts }) => verdicts.some(({ kind }) => kind === 'refused'))) return true;
    // No write of ours proves that refusals rest on the newest balances: look whether there is a newer block.
    if (anchored) return isTail();
    // An earlier writer may still be about to append what we refuse here. An empty block takes its number away; then all is judged again.
    return (await append({ at: work.at, entries: [], state: createSpeculation(pages) })) === undefined ? undefined : false;
  };

  const settle = (work: Forming): void => {
    const place = { n: work.n, at: work.at };
    for (const { group, verdicts } of work.members) group.resolve(verdicts.map((verdict) => ({ verdict, place })));
  };

  /** What was drafted meanwhile rested on the draft that is done. Not for ever: a chain of drafts would grow and be kept. */
  const rebaseForming = (): void => {
    forming?.state.rebase(pages);
  };

  const runWriter = async (): Promise<void> => {
    while (forming !== undefined) {
      const work = forming;
      forming = undefined;
      writing = work;
      let stands: boolean | undefined;
      try {
        stands = await write(work);
      } catch (error) {
        stumble(error);
        stands = false;
      }
      if (stands !== true) dropDrafts();
      writing = undefined;
      if (stands === true) {
        rebaseForming();
        pages.done(work.round);
        settle(work);
      } else await pause(runtime.randomInt(0, LOST_RACE_MS));
      stepped();
      kick();
    }
  };

  const stumble = (error: unknown): void => {
    failed(error);
    if (!(error instanceof InvariantError)) return;
    // What is stored contradicts itself: nothing can be judged any more.
    closed = true;
    refuseQueued('the journal contradicts itself');
  };

  /** What merely failed will be read again. */
  const contradicted = (error: unknown): void => {
    if (error instanceof InvariantError) stumble(error);
  };

  const runPreparer = async (): Promise<void> => {
    try {
      while (await prepare()) kickWriter();
    } catch (error) {
      stumble(error);
      await pause(RETRY_MS);
    }
  };

  const kickWriter = (): void => {
    if (writer !== undefined || forming === undefined) return;
    writer = runWriter().finally(() => {
      writer = undefined;
      stepped();
      kickWriter();
    });
  };

  const kick = (): void => {
    if (preparing !== undefined || !canPrepare()) return;
    preparing = runPreparer().finally(() => {
      preparing = undefined;
      stepped();
      kickWriter();
      kick();
    });
  };

  /** One step towards the end of the journal, whoever takes it. */
  const goOn = async (): Promise<void> => {
    if (closed) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the ledger is stopping' });
    if (preparing !== undefined || writer !== undefined || forming !== undefined) return step.promise;
    const reading = catchUp();
    preparing = reading.catch(contradicted).finally(() => {
      preparing = undefined;
      stepped();
      kick();
    });
    await reading;
    appended();
  };

  return {
    commit: (intents) => {
      let group: Group | undefined;
      const settled = new Promise<Settled[]>((resolve, reject) => {
        if (isOver() || queued + intents.length > Math.max(maxQueue, intents.length)) {
          reject(new CodedError('SERVICE_UNAVAILABLE', { message: 'the journal takes no more entries now' }));
          return;
        }
        group = { intents, resolve, reject, abandoned: false };
        queue.push(group);
        queued += intents.length;
        kick();
      });
      return {
        settled,
        abandon: () => {
          if (group !== undefined) group.abandoned = true;
        },
      };
    },
    kick,
    refresh: async () => {
      // What is found beyond our tail may be a block of our own that was not acknowledged yet.
      for (;;) {
        const { n } = memory.tail();
        if (await isTail()) return;
        while (memory.tail().n === n) await goOn();
      }
    },
    deposed: () => deposed,
    close: async () => {
      closed = true;
      await preparing;
      await writer;
      refuseQueued('the ledger is stopping');
    },
  };
};
