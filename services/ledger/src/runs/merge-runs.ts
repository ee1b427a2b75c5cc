import { accountKey } from '../domain/keys.ts';
import { keysOf } from './id-table.ts';
import type { Group } from './row-text.ts';
import { positionsAt, type Run, readPart } from './run.ts';
import type { RunHead, RunStore } from './run-store.ts';
import type { RunContent } from './write-run.ts';

type Cursor = { groups: AsyncGenerator<Group>; head: Group; key: number };

const groupsOfRun = async function* (store: RunStore, shard: string, run: Run): AsyncGenerator<Group> {
  for (let part = 0; part < run.directory.length / 3; part += 1) yield* await readPart(store, shard, run.name, part);
};

const isBefore = (a: Cursor, b: Cursor): boolean => (a.key === b.key ? a.head.account < b.head.account : a.key < b.key);

/** Groups of runs by account, of one account in the order of the runs. Holds one part of each run. */
const mergeGroups = async function* (store: RunStore, shard: string, runs: readonly Run[]): AsyncGenerator<Group> {
  const cursors: Cursor[] = [];
  for (const run of runs) {
    const groups = groupsOfRun(store, shard, run);
    const { value, done } = await groups.next();
    if (done !== true) cursors.push({ groups, head: value, key: accountKey(value.account) });
  }
  for (;;) {
    let least: Cursor | undefined;
    for (const cursor of cursors) if (least === undefined || isBefore(cursor, least)) least = cursor;
    if (least === undefined) return;
    yield least.head;
    const { value, done } = await least.groups.next();
    if (done === true) cursors.splice(cursors.indexOf(least), 1);
    else if (value.account === least.head.account) least.head = value;
    else Object.assign(least, { head: value, key: accountKey(value.account) });
  }
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
    positions.set(await positionsAt(store, shard, run, Array.from(run.table.tags.keys())), next);
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
