import { touchedBy } from '../domain/apply-entry.ts';
import type { Block } from '../domain/block.ts';
import type { Entry } from '../domain/entry.ts';
import { entryKey } from '../domain/keys.ts';
import { positionOf } from '../domain/position.ts';
import { type EntryRow, isBooked } from '../domain/projection.ts';

/**
 * A block whose entries are in no run yet. There are many entries: each has a share of few large objects, and none of its own, so that they cost
 * the garbage collector nothing.
 */
export type RecentBlock = {
  n: number;
  at: Date;
  /** The lines, joined, and where each begins; beyond the last, where the next would begin. */
  text: string;
  starts: Uint32Array;
  /** Keys of the entries' ids. */
  keys: Float64Array;
  /** What the entries touch, in their order, in three columns: entry by its place in the block, accounts joined by spaces, token by its place in `symbols`. */
  touches: { entries: Uint32Array; accounts: string; tokens: Uint16Array; symbols: readonly string[] };
  booked: Uint8Array;
};

/** Account of entries that touch no user's money. */
export const NO_ACCOUNT = '';

const startsOf = (body: string, count: number): Uint32Array => {
  const starts = new Uint32Array(count + 1);
  for (let index = 1; index < count; index += 1) starts[index] = body.indexOf('\n', starts[index - 1]) + 1;
  starts[count] = body.length + 1;
  return starts;
};

export const recentBlock = ({ n, at, body }: Block, entries: readonly Entry[]): RecentBlock => {
  const places: number[] = [];
  const accounts: string[] = [];
  const tokens: number[] = [];
  const symbols: string[] = [];
  const booked = new Uint8Array(entries.length);
  const keys = new Float64Array(entries.length);
  const add = (entry: number, account: string, token: string): void => {
    places.push(entry);
    accounts.push(account);
    const known = symbols.indexOf(token);
    tokens.push(known === -1 ? symbols.push(token) - 1 : known);
  };
  entries.forEach((entry, index) => {
    keys[index] = entryKey(entry.id);
    if (isBooked(entry)) booked[index] = 1;
    const touched = touchedBy(entry.transfers);
    for (const { accountId, token } of touched) add(index, accountId, token);
    if (touched.length === 0) add(index, NO_ACCOUNT, '');
  });
  const touches = { entries: Uint32Array.from(places), accounts: accounts.join(' '), tokens: Uint16Array.from(tokens), symbols };
  return { n, at, text: body, starts: startsOf(body, entries.length), keys, touches, booked };
};

export const rowAt = ({ n, at, text, starts, booked }: RecentBlock, index: number): EntryRow => ({
  position: positionOf(n, index),
  at,
  booked: booked[index] === 1,
  line: text.slice(starts[index], (starts[index + 1] ?? 1) - 1),
});

/** Places of the entries that touch each account, ascending, and each account's tokens. */
export const byAccount = ({ touches }: RecentBlock): Map<string, { entries: number[]; tokens: Set<string> }> => {
  const { entries, tokens, symbols } = touches;
  const accounts = touches.accounts.split(' ');
  const found = new Map<string, { entries: number[]; tokens: Set<string> }>();
  entries.forEach((entry, index) => {
    const account = accounts[index] ?? NO_ACCOUNT;
    const token = symbols[tokens[index] ?? 0] ?? '';
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
