import { setImmediate as otherWork } from 'node:timers/promises';
import { hasKey, type IdTable, keysOf } from './id-table.ts';
import { createKeyFilter, type KeyFilter } from './key-filter.ts';

/** Keys of the ids in a shard's runs. Nearly all ids that are asked for are new, which one filter for all runs tells. */
export type RunKeys = {
  /** Reports whether one of the runs may have an id with this key: the filter first, then the tables. */
  has: (key: number, tables: Iterable<IdTable>) => boolean;
  add: (table: IdTable) => void;
  /** Makes room when the filter is full, in the background. @param tables of all runs whose keys were added */
  grow: (tables: readonly IdTable[]) => void;
};

const FEWEST_KEYS = 1_000_000;
/** Room in a new filter, in times of the keys that it begins with. */
const ROOM = 1.5;

const newFilter = (keys: number): KeyFilter => createKeyFilter(Math.max(FEWEST_KEYS, ROOM * keys));

/** @param expected keys that will be added at first */
export const createRunKeys = (expected = 0): RunKeys => {
  let filter = newFilter(expected);
  /** Takes the place of the filter once it has the keys that there were when it was begun; those that come meanwhile go to both. */
  let larger: KeyFilter | undefined;

  const fill = async (next: KeyFilter, tables: readonly IdTable[]): Promise<void> => {
    for (const table of tables) {
      next.add(keysOf(table));
      await otherWork();
    }
    [filter, larger] = [next, undefined];
  };

  return {
    has: (key, tables) => {
      if (filter.has(key)) for (const table of tables) if (hasKey(table, key)) return true;
      return false;
    },
    add: (table) => {
      const keys = keysOf(table);
      filter.add(keys);
      larger?.add(keys);
    },
    grow: (tables) => {
      if (larger !== undefined || filter.size() <= filter.capacity) return;
      larger = newFilter(filter.size());
      void fill(larger, tables);
    },
  };
};
