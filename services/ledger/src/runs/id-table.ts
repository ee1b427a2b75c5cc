import { setImmediate as otherWork } from 'node:timers/promises';
import { ENTRY_KEY_BITS } from '../domain/keys.ts';

/**
 * The keys of a run's ids, grouped into buckets by their first bits. A rank is a place in that order: the stored position of an entry
 * has the same rank as its key.
 */
export type IdTable = {
  /** Rank at which each bucket begins, and the number of ids behind the last. */
  starts: Uint32Array;
  /** The rest of each key. */
  tags: Uint32Array;
};

/** The fewest bits of a bucket: what is left of a key then fits a tag. */
const MIN_BUCKET_BITS = 13;
const IDS_PER_BUCKET = 8;

const spanOf = (buckets: number): number => 2 ** ENTRY_KEY_BITS / buckets;

/** Keys that are grouped at a time: callers of the ledger do not wait for all of a run. */
const KEYS_PER_TURN = 50_000;

const turnsOf = function* (count: number): Generator<{ from: number; to: number }> {
  for (let from = 0; from < count; from += KEYS_PER_TURN) yield { from, to: Math.min(from + KEYS_PER_TURN, count) };
};

/** Groups keys, and the positions that belong to them, in turns, other work in between. */
export const buildIdTable = async (keys: Float64Array, positions: Float64Array): Promise<IdTable & { positions: Float64Array }> => {
  let bits = MIN_BUCKET_BITS;
  while (keys.length > IDS_PER_BUCKET * 2 ** bits) bits += 1;
  const buckets = 2 ** bits;
  const span = spanOf(buckets);
  const starts = new Uint32Array(buckets + 1);
  for (const { from, to } of turnsOf(keys.length)) {
    for (const key of keys.subarray(from, to)) {
      const after = Math.floor(key / span) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
    await otherWork();
  }
  for (let bucket = 1; bucket <= buckets; bucket += 1) starts[bucket] = (starts[bucket] ?? 0) + (starts[bucket - 1] ?? 0);
  const next = starts.slice();
  const tags = new Uint32Array(keys.length);
  const sorted = new Float64Array(keys.length);
  for (const { from, to } of turnsOf(keys.length)) {
    for (let index = from; index < to; index += 1) {
      const key = keys[index] ?? 0;
      const bucket = Math.floor(key / span);
      const rank = next[bucket] ?? 0;
      next[bucket] = rank + 1;
      tags[rank] = key - bucket * span;
      sorted[rank] = positions[index] ?? 0;
    }
    await otherWork();
  }
  return { starts, tags, positions: sorted };
};

/** Ranks of the ids that have a key: nearly always none or one. */
export const ranksOf = ({ starts, tags }: IdTable, key: number): number[] => {
  const span = spanOf(starts.length - 1);
  const bucket = Math.floor(key / span);
  const tag = key - bucket * span;
  const end = starts[bucket + 1] ?? 0;
  const found: number[] = [];
  for (let rank = starts[bucket] ?? 0; rank < end; rank += 1) if (tags[rank] === tag) found.push(rank);
  return found;
};

/** Reports whether an id may have a key: asked for each new entry. */
export const hasKey = ({ starts, tags }: IdTable, key: number): boolean => {
  const span = spanOf(starts.length - 1);
  const bucket = Math.floor(key / span);
  const tag = key - bucket * span;
  const end = starts[bucket + 1] ?? 0;
  for (let rank = starts[bucket] ?? 0; rank < end; rank += 1) if (tags[rank] === tag) return true;
  return false;
};

/** All keys, in the order of their ranks. */
export const keysOf = ({ starts, tags }: IdTable): Float64Array => {
  const span = spanOf(starts.length - 1);
  const keys = new Float64Array(tags.length);
  for (let bucket = 0; bucket + 1 < starts.length; bucket += 1) {
    const end = starts[bucket + 1] ?? 0;
    for (let rank = starts[bucket] ?? 0; rank < end; rank += 1) keys[rank] = bucket * span + (tags[rank] ?? 0);
  }
  return keys;
};
