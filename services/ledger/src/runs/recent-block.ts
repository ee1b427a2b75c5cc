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
  /** The accounts and tokens of the entries, in their order, in three columns: entry by its place in the block, accounts joined by spaces, token by its place in `symbols`. */
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
    for (let last = places.length - 1; places[last] === entry; last -= 1) {
      if (accounts[last] === account && symbols[tokens[last] ?? 0] === token) return;
    }
    places.push(entry);
    accounts.push(account);
    const known = symbols.indexOf(token);
    tokens.push(known === -1 ? symbols.push(token) - 1 : known);
  };
  const addOwner = (entry: number, name: string, token: string): void => {
    const slash = name.indexOf('/');
    if (slash !== -1) add(entry, name.slice(0, slash), token);
  };
  entries.forEach((entry, index) => {
    keys[index] = entryKey(entry.id);
    if (isBooked(entry)) booked[index] = 1;
    for (const { debit, credit, token } of entry.transfers) {
      addOwner(index, debit, token);
      addOwner(index, credit, token);
    }
    if (places.at(-1) !== index) add(index, NO_ACCOUNT, '');
  });
  const touches = { entries: Uint32Array.from(places), accounts: accounts.join(' '), tokens: Uint16Array.from(tokens), symbols };
  return { n, at, text: body, starts: startsOf(body, entries.length), keys, touches, booked };
};

/** An entry's line. It shares the block's text: not to be kept. */
export const lineAt = ({ text, starts }: RecentBlock, index: number): string => text.slice(starts[index], (starts[index + 1] ?? 1) - 1);

export const rowAt = (block: RecentBlock, index: number): EntryRow => ({
  position: positionOf(block.n, index),
  at: block.at,
  booked: block.booked[index] === 1,
  line: lineAt(block, index),
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
