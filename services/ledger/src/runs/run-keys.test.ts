import { setImmediate as otherWork } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { buildIdTable, type IdTable } from './id-table.ts';
import { createRunKeys } from './run-keys.ts';

const KEYS_PER_RUN = 400_000;

/** A run with every fourth key from a number on, so that no two runs and no key of `others` are the same. */
const tableFrom = (first: number): Promise<IdTable> => {
  const keys = Float64Array.from({ length: KEYS_PER_RUN }, (_, index) => (first + index) * 4 * 2 ** 21);
  return buildIdTable(keys, keys);
};
const hasAll = (keys: ReturnType<typeof createRunKeys>, tables: readonly IdTable[], runs: number): boolean => {
  for (let index = 0; index < runs * KEYS_PER_RUN; index += 97) if (!keys.has(index * 4 * 2 ** 21, tables)) return false;
  return true;
};

describe('the keys of runs', () => {
  it('are all known while the filter makes room and runs are added, and afterwards, and others never are', async () => {
    const keys = createRunKeys();
    const tables: IdTable[] = [];
    for (let run = 0; run < 5; run += 1) {
      const table = await tableFrom(run * KEYS_PER_RUN);
      tables.push(table);
      keys.add(table);
      keys.grow([...tables]);
      expect(hasAll(keys, tables, run + 1)).toBe(true);
      // Into the middle of making room: the next run comes while the former ones are being added again.
      if (run === 2) await otherWork();
    }
    for (let turn = 0; turn < 10; turn += 1) await otherWork();
    expect(hasAll(keys, tables, 5)).toBe(true);
    expect(Array.from({ length: 1000 }, (_, index) => (index * 4 + 1) * 2 ** 21).some((key) => keys.has(key, tables))).toBe(false);
  });
});
