import { decodeEntry } from '../domain/entry.ts';
import { entryKey } from '../domain/keys.ts';
import { blockOf, positionOf } from '../domain/position.ts';
import type { EntryRow } from '../domain/projection.ts';
import { createPositionTable } from './position-table.ts';
import { byAccount, NO_ACCOUNT, type RecentBlock, rowAt } from './recent-block.ts';

/** Which entries of an account are wanted: newest first. */
export type EntryQuery = {
  limit: number;
  /** Only entries before this position. */
  before?: number | undefined;
  /** Only what a statement shows. */
  booked?: boolean;
  /** Only entries of this time and later. */
  from?: Date | undefined;
  /** Only entries before this time. */
  to?: Date | undefined;
  /** Only of interest for entries of this token: others may be left out. */
  token?: string | undefined;
};

export const isWanted = ({ before, booked, to }: EntryQuery, row: EntryRow): boolean =>
  (before === undefined || row.position < before) && (booked !== true || row.booked) && (to === undefined || row.at < to);

/** Entries that are durable and in no run yet. */
export type RecentEntries = {
  push: (block: RecentBlock) => void;
  find: (id: string) => EntryRow | undefined;
  /** Reports whether there may be an entry whose id has this key (`entryKey`). */
  has: (key: number) => boolean;
  /** Entries that touch an account, newest first. */
  rows: (accountId: string, query: EntryQuery) => EntryRow[];
  /** The oldest blocks with at least so many entries together; empty when there are fewer. */
  oldest: (entries: number) => readonly RecentBlock[];
  /** Removes the blocks up to n: they are in runs. */
  drop: (n: number) => void;
  /** Number of entries. */
  size: () => number;
  /** Accounts of the newest entries, so many or a few more. */
  lately: (accounts: number) => Set<string>;
};

export const createRecentEntries = (): RecentEntries => {
  const blocks: RecentBlock[] = [];
  const places = createPositionTable();
  const add = ({ n, keys }: RecentBlock): void => {
    for (let index = 0; index < keys.length; index += 1) places.add(keys[index] ?? 0, positionOf(n, index));
  };
  /** Made when an account is first looked for in a block. */
  const indexes = new WeakMap<RecentBlock, ReturnType<typeof byAccount>>();
  const indexOf = (block: RecentBlock): ReturnType<typeof byAccount> => {
    const index = indexes.get(block) ?? byAccount(block);
    indexes.set(block, index);
    return index;
  };
  return {
    push: (block) => {
      blocks.push(block);
      add(block);
    },
    find: (id) => {
      for (const position of places.find(entryKey(id))) {
        const n = blockOf(position);
        const block = blocks.find((one) => one.n === n);
        const row = block && rowAt(block, position - positionOf(n, 0));
        if (row !== undefined && decodeEntry(row.line).id === id) return row;
      }
      return undefined;
    },
    has: places.has,
    rows: (accountId, query) => {
      const rows: EntryRow[] = [];
      for (const block of blocks.toReversed()) {
        if (query.from !== undefined && block.at < query.from) break;
        for (const index of indexOf(block).get(accountId)?.entries.toReversed() ?? []) {
          const row = rowAt(block, index);
          if (isWanted(query, row)) rows.push(row);
          if (rows.length === query.limit) return rows;
        }
      }
      return rows;
    },
    oldest: (entries) => {
      let sum = 0;
      const end = blocks.findIndex(({ keys }) => {
        sum += keys.length;
        return sum >= entries;
      });
      return blocks.slice(0, end + 1);
    },
    drop: (n) => {
      const kept = blocks.findIndex((block) => block.n > n);
      blocks.splice(0, kept === -1 ? blocks.length : kept);
      places.clear();
      for (const block of blocks) add(block);
    },
    size: places.size,
    lately: (most) => {
      const accounts = new Set<string>();
      for (let index = blocks.length - 1; index >= 0 && accounts.size < most; index -= 1) {
        for (const account of blocks[index]?.touches.accounts.split(' ') ?? []) if (account !== NO_ACCOUNT) accounts.add(account);
      }
      return accounts;
    },
  };
};
