import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { accountKey, entryKey } from '../domain/keys.ts';
import type { EntryRow } from '../domain/projection.ts';
import { type IdTable, ranksOf } from './id-table.ts';
import { NO_ACCOUNT } from './recent-block.ts';
import { type Group, groupsOf, rowsOf } from './row-text.ts';
import { digestOf, type RunHead, type RunStore, runName } from './run-store.ts';
import { mayTouch, type TouchFilter } from './touch-filter.ts';
import { type BlockTimes, POSITIONS_PER_PART } from './write-run.ts';

const decompress = promisify(zstdDecompress);

/** Another writer, or a merge, has put another run in the place of this one since it was opened. */
export class RunGoneError extends Error {
  override readonly name = 'RunGoneError';
}

/** A finished run, with what is kept of it in memory. */
export type Run = { head: RunHead; name: string; table: IdTable; filter: TouchFilter; times: BlockTimes; directory: Float64Array };

const copyOf = (data: Buffer): ArrayBuffer => Uint8Array.from(data).buffer;

const fetch = async (store: RunStore, shard: string, run: string, names: readonly string[]): Promise<Buffer[]> => {
  const found = await store.parts(shard, run, names);
  return names.map((name) => {
    const data = found.get(name);
    if (data === undefined) throw new RunGoneError(`run ${run} of shard ${shard} lacks ${name}`);
    return data;
  });
};

/** Parts of which each run has one: what is kept in memory of it. */
const KEPT = ['starts', 'tags', 'filter', 'times', 'directory'] as const;

/** @throws RunGoneError */
export const openRun = async (store: RunStore, shard: string, head: RunHead): Promise<Run> => {
  const name = runName(head);
  const [starts, tags, filter, times, directory] = await fetch(store, shard, name, KEPT);
  const pairs = new Float64Array(copyOf(times ?? Buffer.of()));
  return {
    head,
    name,
    table: { starts: new Uint32Array(copyOf(starts ?? Buffer.of())), tags: new Uint32Array(copyOf(tags ?? Buffer.of())) },
    filter: new Uint8Array(copyOf(filter ?? Buffer.of())),
    times: Array.from({ length: pairs.length / 2 }, (_, index) => [pairs[2 * index] ?? 0, pairs[2 * index + 1] ?? 0]),
    directory: new Float64Array(copyOf(directory ?? Buffer.of())),
  };
};

const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${name}.${index}`);

const positionParts = ({ head }: Run): string[] => numbered('positions', Math.ceil(head.entries / POSITIONS_PER_PART));

/** Makes sure that all parts of a run are stored, and no others, before it becomes the only copy of its rows. @throws RunGoneError */
export const assertWhole = async (store: RunStore, shard: string, run: Run): Promise<void> => {
  const names = [...KEPT, ...positionParts(run), ...numbered('rows', run.directory.length / 3)];
  const stored = await store.stored(shard, run.name, names);
  const missing = names.find((name) => !stored.has(name));
  if (missing !== undefined) throw new RunGoneError(`run ${run.name} of shard ${shard} lacks ${missing}`);
  const { digest } = run.head;
  if (digest !== undefined && digestOf(stored.values()) !== digest)
    throw new RunGoneError(`run ${run.name} of shard ${shard} has parts of another writer`);
};

/** Positions by rank. @throws RunGoneError */
export const positionsAt = async (store: RunStore, shard: string, run: Run, ranks: readonly number[]): Promise<number[]> => {
  const parts = [...new Set(ranks.map((rank) => Math.floor(rank / POSITIONS_PER_PART)))];
  const datas = await fetch(
    store,
    shard,
    run.name,
    parts.map((part) => `positions.${part}`),
  );
  return ranks.map(
    (rank) => datas[parts.indexOf(Math.floor(rank / POSITIONS_PER_PART))]?.readDoubleLE((rank % POSITIONS_PER_PART) * 8) ?? 0,
  );
};

/** All positions, by rank. @throws RunGoneError */
export const allPositions = async (store: RunStore, shard: string, run: Run): Promise<Float64Array> => {
  return new Float64Array(copyOf(Buffer.concat(await fetch(store, shard, run.name, positionParts(run)))));
};

/** Ranks of the entries that may have an id. */
export const ranksOfId = (run: Run, id: string): number[] => ranksOf(run.table, entryKey(id));

/** Reports whether rows of an account may be in the run, of one token or of any. */
export const mayHold = ({ head, filter }: Run, accountId: string, token?: string): boolean =>
  accountId === NO_ACCOUNT || (token === undefined ? head.tokens : [token]).some((one) => mayTouch(filter, accountId, one));

/** A block such that all blocks before a time come before it, as near as the kept times tell. */
export const blockBefore = ({ head, times }: Run, time: number): number => {
  const first = times.find(([, at]) => at >= time);
  return first === undefined ? head.to + 1 : first[0];
};

/** Parts of rows that may hold rows of an account before a position, the newest first. */
export const partsOf = ({ directory }: Run, accountId: string, before: number): number[] => {
  const key = accountKey(accountId);
  const count = directory.length / 3;
  const first = (part: number): number => directory[3 * part] ?? 0;
  const last = (part: number): number => directory[3 * part + 1] ?? 0;
  // The first part that ends at the account or behind it.
  let low = 0;
  for (let high = count; low < high; ) {
    const middle = (low + high) >>> 1;
    if (last(middle) < key) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let part = low; part < count && first(part) <= key; part += 1) {
    if (first(part) === key && (directory[3 * part + 2] ?? -1) >= before) continue;
    found.push(part);
  }
  return found.reverse();
};

/** All parts of rows. */
export const allParts = ({ directory }: Run): number[] => Array.from({ length: directory.length / 3 }, (_, part) => part);

/** All groups of some parts of rows, part by part, read by one command. @throws RunGoneError */
export const readParts = async function* (
  store: RunStore,
  shard: string,
  run: string,
  parts: readonly number[],
): AsyncGenerator<readonly Group[]> {
  const names = parts.map((part) => `rows.${part}`);
  for (const data of await fetch(store, shard, run, names)) yield [...groupsOf(await decompress(data))];
};

/** Rows of a part, of one account or of all, the newest of each first. @throws RunGoneError */
export const readRows = async (store: RunStore, shard: string, run: Run, part: number, accountId?: string): Promise<EntryRow[]> => {
  const rows: EntryRow[] = [];
  for await (const groups of readParts(store, shard, run.name, [part]))
    for (const group of groups) if (accountId === undefined || group.account === accountId) rows.push(...rowsOf(group));
  return rows.reverse();
};
