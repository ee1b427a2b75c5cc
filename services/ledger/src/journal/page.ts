import type { AccountState } from '../domain/account-state.ts';
import { changeAccounts, findAccount, rowsOf } from '../domain/balance-page.ts';

/** Bytes of an account with one balance and no holds, as it is stored. */
const USUAL_BYTES = 100;

/**
 * A page of balances in memory. Its accounts stay in the form in which they are stored, which takes a third of the memory that objects
 * take; what has changed since is beside it until the next flush.
 */
export type Page = {
  /** As of the last flush (`encodeAccounts`). */
  text: string;
  /** The changes since the last flush began. */
  changed: Map<string, AccountState> | undefined;
  /** Rows being written: then the page is not evicted. */
  writing: ReadonlyMap<string, AccountState> | undefined;
  /** The weight of a page: its accounts, each at least once, large ones by their size. */
  weight: number;
  /** The round that used it last. */
  usedIn: number;
};

const weightOf = (text: string): number => Math.max(rowsOf(text).length, Math.ceil(text.length / USUAL_BYTES));

export const createPage = (text: string, usedIn: number): Page => ({
  text,
  changed: undefined,
  writing: undefined,
  weight: weightOf(text),
  usedIn,
});

/** An account of a page; undefined when it is not on it. @throws InvariantError when what is stored is not sound */
export const accountIn = ({ text, changed, writing }: Page, id: string): AccountState | undefined =>
  changed?.get(id) ?? writing?.get(id) ?? findAccount(text, id);

export const changeIn = (page: Page, id: string, account: AccountState): void => {
  page.changed ??= new Map();
  page.changed.set(id, account);
};

/** Writes the changed rows from now on. */
export const beginWriting = (page: Page): void => {
  page.writing = page.changed;
  page.changed = undefined;
};

/** The text that is to be written. */
export const textToWrite = ({ text, writing }: Page): string => (writing === undefined ? text : changeAccounts(text, writing));

/** @returns by how much the page's weight has grown */
export const wasWritten = (page: Page, text: string): number => {
  const before = page.weight;
  page.text = text;
  page.writing = undefined;
  page.weight = weightOf(text);
  return page.weight - before;
};

/** The rows to be written have changed still; later changes stay. */
export const wasNotWritten = (page: Page): void => {
  page.changed = new Map([...(page.writing ?? []), ...(page.changed ?? [])]);
  page.writing = undefined;
};
