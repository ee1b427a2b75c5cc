import { hash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { AuditError, type Source } from './source.ts';

/** Head of a run of entries as it is stored. */
export type StoredRun = {
  _id: string;
  shard: string;
  state: string;
  level: number;
  from: number;
  to: number;
  epoch: number;
  entries: number;
  tokens: readonly string[];
  touches: number;
  sum: string;
  /** Over the checksums of its parts; release 0.2.0 did not state it. */
  digest?: string;
};
/** `epoch` is the term of the writer; release 0.2.0 did not state it. */
type StoredPart = { _id: string; epoch?: number; data?: { buffer: Uint8Array } | Uint8Array; sum: string };

/** A sum of hashes: the same for the same things in any order. */
export type SetDigest = { add: (text: string) => void; value: () => bigint };

export const createSetDigest = (): SetDigest => {
  let sum = 0n;
  return {
    add: (text) => {
      sum = BigInt.asUintN(256, sum + BigInt(`0x${hash('sha256', text)}`));
    },
    value: () => sum,
  };
};

/** The index of the entries of a run's blocks. */
export type RunContent = { rows: bigint; ids: bigint; times: ReadonlyMap<number, number> };

export const rowText = (account: string, row: string): string => `row\n${account}\n${row}`;
export const idText = (key: bigint, position: number): string => `id\n${key}\n${position}`;

const KEY_BITS = 45n;
const POSITIONS_PER_PART = 16_384;

const mix = (given: number): number => {
  let value = Math.imul(given ^ (given >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
};

/** Key of an entry's id in the tables of runs. */
export const keyOf = (id: string): bigint => {
  let [one, two] = [0x811c9dc5, 0x9747b28c];
  for (const unit of Array.from({ length: id.length }, (_, index) => id.charCodeAt(index))) {
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x5bd1e995);
    two ^= two >>> 15;
  }
  return (BigInt(mix(one) >>> 19) << 32n) + BigInt(mix(two));
};

/** @throws AuditError when a run's head is not what its checksum says */
export const assertHead = (shard: string, run: StoredRun): void => {
  const { _id, state, level, from, to, epoch, entries, tokens, touches, sum, digest } = run;
  const fail = (problem: string): never => {
    throw new AuditError(`${shard}:${Number.isSafeInteger(to) ? to : 0}`, `the run of entries ${_id}: ${problem}`);
  };
  if (run.shard !== shard || _id !== `${shard}:${level}:${from}`) fail('is stored under another name');
  if (state === 'writing' && sum === undefined) return;
  if (state !== 'ready') fail('has an unknown state');
  const fields = [shard, level, from, to, epoch, entries, tokens, touches];
  // Of runs from between 0.2.0 and the next release, the sum leaves the digest out.
  const sums = [fields, ...(digest === undefined ? [] : [[...fields, digest]])].map((one) =>
    hash('sha256', JSON.stringify(one), 'base64url'),
  );
  if (!sums.includes(sum)) fail('has a wrong checksum');
};

const bytesOf = (data: StoredPart['data']): Buffer => Buffer.from(data instanceof Uint8Array ? data : new Uint8Array(data?.buffer ?? []));

const numbers = (data: Buffer): number[] => Array.from({ length: data.length / 8 }, (_, index) => data.readDoubleLE(index * 8));

/** Id of the entry that a row is about. */
const idOfRow = (row: string): string => {
  const [, id = '""'] = /^[0-9]+ [0-9]+ [01] \[("(?:[^"\\]|\\.)*")/.exec(row) ?? [];
  return JSON.parse(id) as string;
};

/**
 * Reads a run's content.
 * @param archived receives the ids of entries before the position `start`, an id once for each account; its content is that of the others
 * @returns undefined when a part is missing @throws AuditError
 */
export const readRun = async (
  source: Source,
  shard: string,
  run: StoredRun,
  start: number,
  archived: (id: string) => void,
): Promise<RunContent | undefined> => {
  const prefix = `${shard}:${run.level}:${run.from}-${run.to}:`;
  const fail = (problem: string): never => {
    throw new AuditError(`${shard}:${run.to}`, `the run of entries ${run._id}: ${problem}`);
  };
  const sums: string[] = [];
  const part = async (name: string): Promise<Buffer | undefined> => {
    for await (const { _id, epoch, data, sum } of source
      .collection('entry_run_parts')
      .find({ _id: prefix + name }) as AsyncIterable<StoredPart>) {
      const bytes = bytesOf(data);
      if (sum !== hash('sha256', Buffer.concat([Buffer.from(`${_id}\n`), bytes]), 'base64url')) fail(`part ${name} has a wrong checksum`);
      if ((epoch !== undefined || run.digest !== undefined) && epoch !== run.epoch) fail(`part ${name} is of another term`);
      sums.push(sum);
      return bytes;
    }
    return undefined;
  };
  const [directory, times, starts, tags] = [await part('directory'), await part('times'), await part('starts'), await part('tags')];
  const filter = await part('filter');
  if (directory === undefined || times === undefined || starts === undefined || tags === undefined || filter === undefined)
    return undefined;

  const rows = createSetDigest();
  for (let index = 0; index < directory.length / 24; index += 1) {
    const packed = await part(`rows.${index}`);
    if (packed === undefined) return undefined;
    let last = '';
    let position = -1;
    for (const [account, row] of readRows(zstdDecompressSync(packed), fail)) {
      const next = Number(row.split(' ', 1)[0]);
      if (account === last && next <= position) fail(`the rows of account ${account} are not in order`);
      [last, position] = [account, next];
      if (next < start) archived(idOfRow(row));
      else rows.add(rowText(account, row));
    }
  }

  const ids = createSetDigest();
  const buckets = starts.length / 4 - 1;
  const span = 2n ** KEY_BITS / BigInt(buckets);
  let positions: number[] = [];
  let bucket = 0;
  for (let rank = 0; rank < tags.length / 4; rank += 1) {
    if (rank % POSITIONS_PER_PART === 0) {
      const some = await part(`positions.${rank / POSITIONS_PER_PART}`);
      if (some === undefined) return undefined;
      positions = numbers(some);
    }
    while (bucket < buckets && rank >= starts.readUInt32LE((bucket + 1) * 4)) bucket += 1;
    const position = positions[rank % POSITIONS_PER_PART] ?? -1;
    if (position >= start) ids.add(idText(BigInt(bucket) * span + BigInt(tags.readUInt32LE(rank * 4)), position));
  }
  if (tags.length / 4 !== run.entries) fail(`has ${tags.length / 4} ids, not ${run.entries}`);
  if (run.digest !== undefined && run.digest !== hash('sha256', JSON.stringify(sums.sort()), 'base64url')) fail('has parts of another run');
  const pairs = numbers(times);
  const timeOf = new Map(Array.from({ length: pairs.length / 2 }, (_, index) => [pairs[2 * index] ?? 0, pairs[2 * index + 1] ?? 0]));
  return { rows: rows.value(), ids: ids.value(), times: timeOf };
};

/** The rows of a part, each with its account. */
const readRows = function* (text: Buffer, fail: (problem: string) => never): Generator<[account: string, row: string]> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const [account = '', count, size] = text.toString('utf8', start, end).split('\t');
    const next = end + 1 + Number(size);
    if (!(next > end && next <= text.length)) fail('a part cannot be read');
    const rows = text.toString('utf8', end + 1, next - 1).split('\n');
    if (rows.length !== Number(count)) fail('a part has another number of rows than it says');
    for (const row of rows) yield [account, row];
    start = next;
  }
};
