import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { accountKey } from '../domain/keys.ts';
import { LostRaceError } from '../journal/writer-state.ts';
import { buildIdTable } from './id-table.ts';
import { encodeHeader, type Group } from './row-text.ts';
import { type RunHead, type RunPart, type RunStore, runName } from './run-store.ts';
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
  /** Sorted by `accountKey`, then by account, then by position; several at a time. */
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

/**
 * Writes a run that was claimed, and makes it visible at the end: a kill in between leaves nothing that is read. The same content gives
 * the same parts.
 * @throws LostRaceError when the claim was lost
 */
export const writeRun = async (store: RunStore, shard: string, head: RunHead, content: RunContent): Promise<void> => {
  const name = runName(head);
  const batches = createBatches((parts) => store.put(shard, name, parts));
  const filter = createTouchFilter(head.touches);
  /** Of each part of rows: key of its first and last account, and the first position if it has one account only, else -1. */
  const directory: number[] = [];
  let texts: Buffer[] = [];
  let bytes = 0;
  let open: { first: Group; last: Group } | undefined;

  const endPart = async (): Promise<void> => {
    if (open === undefined) return;
    const { first, last } = open;
    const data = await compress(Buffer.concat(texts), FAST);
    await batches.add({ name: `rows.${directory.length / 3}`, data });
    const low = first.account === last.account ? Number(first.body.toString('latin1', 0, 20).split(' ', 1)[0]) : -1;
    directory.push(accountKey(first.account), accountKey(last.account), low);
    [texts, bytes, open] = [[], 0, undefined];
  };

  for await (const groups of content.groups) {
    for (const group of groups) {
      const header = encodeHeader(group);
      texts.push(header, group.body);
      bytes += header.length + group.body.length;
      open = { first: open?.first ?? group, last: group };
      for (const token of group.tokens) addTouch(filter, group.account, token);
      if (bytes >= PART_BYTES) await endPart();
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
  if (!(await store.finish(shard, head))) throw new LostRaceError(`run ${name} of shard ${shard} was claimed for a later term`);
};
