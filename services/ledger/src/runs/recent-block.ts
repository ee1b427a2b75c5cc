import { touchedBy } from '../domain/apply-entry.ts';
import type { Block } from '../domain/block.ts';
import type { Entry } from '../domain/entry.ts';
import { positionOf } from '../domain/position.ts';
import { type EntryRow, isBooked } from '../domain/projection.ts';

/** A block whose entries are in no run yet. */
export type RecentBlock = {
  n: number;
  at: Date;
  lines: readonly string[];
  ids: readonly string[];
  /** What the entries touch, in their order: entry by its place in the block, account and token in three columns. */
  touches: { entries: number[]; accounts: string[]; tokens: string[] };
  booked: Uint8Array;
};

/** Account of entries that touch no user's money. */
export const NO_ACCOUNT = '';

export const recentBlock = ({ n, at, lines }: Block, entries: readonly Entry[]): RecentBlock => {
  const touches: RecentBlock['touches'] = { entries: [], accounts: [], tokens: [] };
  const booked = new Uint8Array(entries.length);
  const add = (entry: number, account: string, token: string): void => {
    touches.entries.push(entry);
    touches.accounts.push(account);
    touches.tokens.push(token);
  };
  entries.forEach((entry, index) => {
    if (isBooked(entry)) booked[index] = 1;
    const touched = touchedBy(entry.transfers);
    for (const { accountId, token } of touched) add(index, accountId, token);
    if (touched.length === 0) add(index, NO_ACCOUNT, '');
  });
  return { n, at, lines, ids: entries.map(({ id }) => id), touches, booked };
};

export const rowAt = ({ n, at, lines, booked }: RecentBlock, index: number): EntryRow => ({
  position: positionOf(n, index),
  at,
  booked: booked[index] === 1,
  line: lines[index] ?? '',
});

/** Places of the entries that touch each account, ascending, and each account's tokens. */
export const byAccount = ({ touches }: RecentBlock): Map<string, { entries: number[]; tokens: Set<string> }> => {
  const { entries, accounts, tokens } = touches;
  const found = new Map<string, { entries: number[]; tokens: Set<string> }>();
  entries.forEach((entry, index) => {
    const account = accounts[index] ?? NO_ACCOUNT;
    const token = tokens[index] ?? '';
    let own = found.get(account);
    if (own === undefined) {
      own = { entries: [], tokens: new Set() };
      found.set(account, own);
    }
    if (own.entries.at(-1) !== entry) own.entries.push(entry);
    if (token !== '') own.tokens.add(token);
  });
  return found;
};
