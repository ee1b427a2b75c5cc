import { accountKey } from '../domain/keys.ts';
import { keysOf } from './id-table.ts';
import type { Group } from './row-text.ts';
import { allPositions, type Run, readParts } from './run.ts';
import type { RunHead, RunStore } from './run-store.ts';
import type { RunContent } from './write-run.ts';

/** Parts of one run that are read by one command: a command for each would cost more than all the rest of a merge. */
const PARTS_PER_READ = 8;

/** Groups that are handed on together. */
const GROUPS_PER_BATCH = 256;

const partsOfRun = async function* (store: RunStore, shard: string, { name, directory }: Run): AsyncGenerator<readonly Group[]> {
  const count = directory.length / 3;
  for (let first = 0; first < count; first += PARTS_PER_READ) {
    const parts = Array.from({ length: Math.min(PARTS_PER_READ, count - first) }, (_, index) => first + index);
    yield* readParts(store, shard, name, parts);
  }
};

/** A place in a run: at one of its groups. */
type Cursor = { parts: AsyncGenerator<readonly Group[]>; groups: readonly Group[]; at: number; head: Group; key: number };

/** The first group of the next part; undefined at the end of the run. */
const nextPart = async (parts: Cursor['parts']): Promise<Cursor | undefined> => {
  const { value, done } = await parts.next();
  const head = done === true ? undefined : value[0];
  return head && { parts, groups: value, at: 0, head, key: accountKey(head.account) };
};

/** The next group of a run; undefined at its end. */
const advance = (cursor: Cursor): Cursor | undefined | Promise<Cursor | undefined> => {
  const head = cursor.groups[cursor.at + 1];
  if (head === undefined) return nextPart(cursor.parts);
  cursor.at += 1;
  if (head.account !== cursor.head.account) cursor.key = accountKey(head.account);
  cursor.head = head;
  return cursor;
};

const isBefore = (a: Cursor, b: Cursor): boolean => (a.key === b.key ? a.head.account < b.head.account : a.key < b.key);

/** Groups of runs by account, of one account in the order of the runs. Holds a few parts of each run. */
const mergeGroups = async function* (store: RunStore, shard: string, runs: readonly Run[]): AsyncGenerator<readonly Group[]> {
  const firsts = await Promise.all(runs.map((run) => nextPart(partsOfRun(store, shard, run))));
  const cursors = firsts.filter((cursor) => cursor !== undefined);
  let batch: Group[] = [];
  for (;;) {
    let least: Cursor | undefined;
    for (const cursor of cursors) if (least === undefined || isBefore(cursor, least)) least = cursor;
    if (least === undefined) break;
    batch.push(least.head);
    if (batch.length === GROUPS_PER_BATCH) {
      yield batch;
      batch = [];
    }
    const advanced = advance(least);
    // Waited for only between parts: there are far more groups.
    const next = advanced instanceof Promise ? await advanced : advanced;
    if (next === undefined) cursors.splice(cursors.indexOf(least), 1);
    else if (next !== least) cursors[cursors.indexOf(least)] = next;
  }
  yield batch;
};

/**
 * A run of the next level from runs that follow each other.
 * @throws RunGoneError
 */
export const mergeRuns = async (
  store: RunStore,
  shard: string,
  runs: readonly Run[],
  epoch: number,
): Promise<{ head: RunHead; content: RunContent }> => {
  const heads = runs.map(({ head }) => head);
  const entries = heads.reduce((sum, head) => sum + head.entries, 0);
  const keys = new Float64Array(entries);
  const positions = new Float64Array(entries);
  let next = 0;
  for (const run of runs) {
    keys.set(keysOf(run.table), next);
    positions.set(await allPositions(store, shard, run), next);
    next += run.head.entries;
  }
  return {
    head: {
      level: Math.max(...heads.map(({ level }) => level)) + 1,
      from: heads[0]?.from ?? 0,
      to: heads.at(-1)?.to ?? 0,
      epoch,
      entries,
      tokens: [...new Set(heads.flatMap(({ tokens }) => tokens))].sort(),
      touches: heads.reduce((sum, { touches }) => sum + touches, 0),
    },
    content: { keys, positions, times: runs.flatMap(({ times }) => times), groups: mergeGroups(store, shard, runs) },
  };
};
