import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { accountKey } from '../domain/keys.ts';
import { LostRaceError } from '../journal/writer-state.ts';
import { buildIdTable } from './id-table.ts';
import { encodeHeader, type Group } from './row-text.ts';
import { digestOf, type RunHead, type RunPart, type RunStore, runName } from './run-store.ts';
import { addTouch, createTouchFilter } from './touch-filter.ts';

const compress = promisify(zstdCompress);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Text of a part of rows from which on the next account goes into another one. */
const PART_BYTES = 128 * 1024;
const PARTS_PER_WRITE = 16;
export const POSITIONS_PER_PART = 16_384;
/** Times of blocks that a run keeps at most: beyond it, of every other block, and so on. */
const MAX_TIMES = 4096;

/** Times of blocks, oldest first: number and milliseconds since 1970 in turn. */
export type BlockTimes = readonly (readonly [n: number, at: number])[];

export type RunContent = {
  keys: Float64Array;
  positions: Float64Array;
  times: BlockTimes;
  /** Sorted by `accountKey`, then by account, then by position; several at a time. Their memory may be reused after the next step. */
  groups: Iterable<readonly Group[]> | AsyncIterable<readonly Group[]>;
};

/** Bytes of a typed array, in this machine's order: little-endian wherever Node.js runs. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Float64Array | Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

const thin = (times: BlockTimes): BlockTimes => {
  const step = Math.ceil(times.length / MAX_TIMES);
  return step === 1 ? times : times.filter((_time, index) => index % step === 0 || index === times.length - 1);
};

/** Collects parts and writes several at a time. */
const createBatches = (put: (parts: readonly RunPart[]) => Promise<void>) => {
  let waiting: RunPart[] = [];
  const flush = async (): Promise<void> => {
    const parts = waiting;
    waiting = [];
    if (parts.length > 0) await put(parts);
  };
  return {
    add: async (part: RunPart): Promise<void> => {
      waiting.push(part);
      if (waiting.length >= PARTS_PER_WRITE) await flush();
    },
    flush,
  };
};

/** The text of a part of rows, in memory that the next part takes again: runs are written all the time. */
const createPart = () => {
  let text = Buffer.allocUnsafe(2 * PART_BYTES);
  let size = 0;
  return {
    add: (piece: Buffer): void => {
      if (size + piece.length > text.length) text = Buffer.concat([text.subarray(0, size)], 2 * (size + piece.length));
      size += piece.copy(text, size);
    },
    size: () => size,
    /** The text; valid until the next piece is added. */
    take: (): Buffer => {
      const taken = text.subarray(0, size);
      size = 0;
      return taken;
    },
  };
};

const firstPosition = ({ body }: Group): number => Number(body.toString('latin1', 0, 20).split(' ', 1)[0]);

/**
 * Writes a run that was claimed, and makes it visible at the end: a kill in between leaves nothing that is read. The same content gives
 * the same parts.
 * @returns the head of the finished run
 * @throws LostRaceError when the claim was lost
 */
export const writeRun = async (store: RunStore, shard: string, head: RunHead, content: RunContent): Promise<RunHead> => {
  const name = runName(head);
  const sums: string[] = [];
  const batches = createBatches(async (parts) => {
    sums.push(...(await store.put(shard, head, parts)));
  });
  const filter = createTouchFilter(head.touches);
  /** Of each part of rows: key of its first and last account, and the first position if it has one account only, else -1. */
  const directory: number[] = [];
  const part = createPart();
  let open: { first: string; last: string; from: number } | undefined;

  const endPart = async (): Promise<void> => {
    if (open === undefined) return;
    const { first, last, from } = open;
    await batches.add({ name: `rows.${directory.length / 3}`, data: await compress(part.take(), FAST) });
    directory.push(accountKey(first), accountKey(last), first === last ? from : -1);
    open = undefined;
  };

  for await (const groups of content.groups) {
    for (const group of groups) {
      part.add(encodeHeader(group));
      part.add(group.body);
      open ??= { first: group.account, last: group.account, from: firstPosition(group) };
      open.last = group.account;
      for (const token of group.tokens) addTouch(filter, group.account, token);
      if (part.size() >= PART_BYTES) await endPart();
    }
  }
  await endPart();
  const table = await buildIdTable(content.keys, content.positions);
  for (let start = 0; start < table.positions.length; start += POSITIONS_PER_PART) {
    const some = table.positions.subarray(start, start + POSITIONS_PER_PART);
    await batches.add({ name: `positions.${start / POSITIONS_PER_PART}`, data: bytesOf(some) });
  }
  await batches.add({ name: 'directory', data: bytesOf(Float64Array.from(directory)) });
  await batches.add({ name: 'times', data: bytesOf(Float64Array.from(thin(content.times).flat())) });
  await batches.add({ name: 'filter', data: bytesOf(filter) });
  await batches.add({ name: 'starts', data: bytesOf(table.starts) });
  await batches.add({ name: 'tags', data: bytesOf(table.tags) });
  await batches.flush();
  const finished = { ...head, digest: digestOf(sums) };
  if (!(await store.finish(shard, finished))) throw new LostRaceError(`run ${name} of shard ${shard} was claimed for a later term`);
  return finished;
};
