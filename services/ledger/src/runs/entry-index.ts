import { type Block, linesOf } from '../domain/block.ts';
import { decodeEntry, type KnownEntry } from '../domain/entry.ts';
import { InvariantError } from '../domain/invariant-error.ts';
import { entryKey } from '../domain/keys.ts';
import { knownEntry } from '../domain/known-entry.ts';
import { blockOf, positionOf } from '../domain/position.ts';
import { type EntryRow, isBooked } from '../domain/projection.ts';
import { NO_ACCOUNT, type RecentBlock } from './recent-block.ts';
import { createRecentEntries, type EntryQuery, isWanted } from './recent-entries.ts';
import { allParts, blockBefore, mayHold, partsOf, positionsAt, type Run, ranksOfId, readRows } from './run.ts';
import { createRunList, type RunList } from './run-list.ts';
import type { RunStore } from './run-store.ts';

/** Entries of a shard by id and by account: those of the last blocks in memory, the older ones in runs. */
export type EntryIndex = {
  /** Takes in the next block. */
  push: (block: RecentBlock) => void;
  /** An entry that is in no run yet. */
  recent: (id: string) => EntryRow | undefined;
  /** Reports whether the journal may have an entry. May be true for an unknown id, about one in millions. */
  mayHave: (id: string) => boolean;
  /**
   * An entry by its id.
   * @param accounts accounts that it may be about: what finds it fast when its block is archived
   */
  find: (id: string, accounts: readonly string[]) => Promise<EntryRow | undefined>;
  /** The journal's entries under ids; as `find`. */
  known: (ids: ReadonlyMap<string, readonly string[]>) => Promise<Map<string, KnownEntry>>;
  /** Entries that touch an account, newest first. */
  page: (accountId: string, query: EntryQuery) => Promise<EntryRow[]>;
  /** Number of entries that are in no run yet. */
  size: () => number;
  /** Accounts of the newest of them, so many or a few more. */
  lately: (accounts: number) => Set<string>;
  runs: RunList;
  oldest: (entries: number) => readonly RecentBlock[];
  /** Forgets the recent entries that are in runs now. */
  drop: () => void;
};

export type EntryIndexOptions = {
  shard: string;
  blocks: { find: (shard: string, n: number) => Promise<Block | undefined> };
  runs: RunStore;
};

const toRow = (position: number, at: Date, line: string): EntryRow => ({ position, at, booked: isBooked(decodeEntry(line)), line });

const knownOf = ({ line, position }: EntryRow): KnownEntry => knownEntry(blockOf(position), decodeEntry(line));

export const createEntryIndex = ({ shard, blocks, runs: store }: EntryIndexOptions): EntryIndex => {
  const recent = createRecentEntries();
  const list = createRunList(store, shard);

  /** Places of older entries that may have one of the ids, in ascending order. */
  const placesOf = async (ids: readonly string[]): Promise<{ id: string; position: number }[]> => {
    const found: { id: string; position: number }[] = [];
    for (const run of list.all()) {
      const hits = ids.flatMap((id) => ranksOfId(run, id).map((rank) => ({ id, rank })));
      if (hits.length === 0) continue;
      const positions = await positionsAt(
        store,
        shard,
        run,
        hits.map(({ rank }) => rank),
      );
      for (const [index, { id }] of hits.entries()) found.push({ id, position: positions[index] ?? 0 });
    }
    return found.sort((a, b) => a.position - b.position);
  };

  const rowInRun = async (position: number, accounts: readonly string[]): Promise<EntryRow | undefined> => {
    const run = list.all().find(({ head }) => head.from <= blockOf(position) && blockOf(position) <= head.to);
    if (run === undefined) return undefined;
    for (const account of [...accounts, NO_ACCOUNT]) {
      for (const part of mayHold(run, account) ? partsOf(run, account, position + 1) : []) {
        const row = (await readRows(store, shard, run, part, account)).find((one) => one.position === position);
        if (row !== undefined) return row;
      }
    }
    // Another entry, about other accounts, has the same key: some of billions of pairs do. It must not stand for the one that is asked for.
    for (const part of allParts(run)) {
      const row = (await readRows(store, shard, run, part)).find((one) => one.position === position);
      if (row !== undefined) return row;
    }
    throw new InvariantError(`run ${run.name} of shard ${shard} lacks entry ${position}: restore it with its blocks`);
  };

  /** Older entries by id. */
  const findOlder = async (ids: ReadonlyMap<string, readonly string[]>): Promise<Map<string, EntryRow>> => {
    const found = new Map<string, EntryRow>();
    let block: Block | undefined;
    let lines: string[] = [];
    let read = 0;
    for (const { id, position } of await placesOf([...ids.keys()])) {
      const n = blockOf(position);
      if (n !== read) {
        block = await blocks.find(shard, n);
        lines = block === undefined ? [] : linesOf(block);
      }
      read = n;
      const line = lines[position - positionOf(n, 0)];
      const row = line === undefined ? await rowInRun(position, ids.get(id) ?? []) : toRow(position, block?.at ?? new Date(0), line);
      if (row !== undefined && decodeEntry(row.line).id === id) found.set(id, row);
    }
    return found;
  };

  const pageOfRuns = async (runs: readonly Run[], accountId: string, query: EntryQuery, rows: EntryRow[]): Promise<EntryRow[]> => {
    const { limit, before = Number.POSITIVE_INFINITY, from, to, token } = query;
    for (const run of runs.toReversed()) {
      const { head, times } = run;
      if (positionOf(head.from, 0) >= before || (to !== undefined && (times[0]?.[1] ?? 0) >= to.getTime())) continue;
      if (from !== undefined && (times.at(-1)?.[1] ?? 0) < from.getTime()) break;
      if (!mayHold(run, accountId, token)) continue;
      const bound = Math.min(before, to === undefined ? before : positionOf(blockBefore(run, to.getTime()), 0));
      for (const part of partsOf(run, accountId, bound)) {
        for (const row of await readRows(store, shard, run, part, accountId)) {
          if (from !== undefined && row.at < from) return rows;
          if (isWanted(query, row)) rows.push(row);
          if (rows.length === limit) return rows;
        }
      }
    }
    return rows;
  };

  return {
    push: recent.push,
    recent: recent.find,
    mayHave: (id) => {
      const key = entryKey(id);
      return recent.has(key) || list.has(key);
    },
    find: async (id, accounts) => {
      const row = recent.find(id);
      if (row !== undefined) return row;
      return (await list.steadily(() => findOlder(new Map([[id, accounts]])))).get(id);
    },
    known: async (ids) => {
      const known = new Map<string, KnownEntry>();
      const older = new Map<string, readonly string[]>();
      for (const [id, accounts] of ids) {
        const row = recent.find(id);
        if (row === undefined) older.set(id, accounts);
        else known.set(id, knownOf(row));
      }
      for (const [id, row] of await list.steadily(() => findOlder(older))) known.set(id, knownOf(row));
      return known;
    },
    page: (accountId, query) =>
      list.steadily(() => {
        // A list that was loaded again may have runs of another writer, which has not noticed this term yet: their entries are still in memory.
        const covered = list.covered();
        const rows = recent.rows(accountId, query).filter(({ position }) => blockOf(position) > covered);
        const isDone = rows.length === query.limit;
        return isDone ? Promise.resolve(rows) : pageOfRuns(list.all(), accountId, query, rows);
      }),
    size: recent.size,
    lately: recent.lately,
    runs: list,
    oldest: recent.oldest,
    drop: () => recent.drop(list.covered()),
  };
};
