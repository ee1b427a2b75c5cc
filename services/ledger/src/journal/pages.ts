import type { Amount } from '@florin/rpc/money';
import type { AccountState } from '../domain/account-state.ts';
import { assertSound, idOfRow, NO_ACCOUNTS, rowsOf, textOfRows } from '../domain/balance-page.ts';
import { childrenOf, pageBits, pageOf } from '../domain/placement.ts';
import { type Speculation, type StateReader, systemKey } from '../domain/shard-state.ts';
import { createAccountCache } from './account-cache.ts';
import { accountIn, beginWriting, changeIn, createPage, type Page, textToWrite, wasNotWritten, wasWritten } from './page.ts';
import { createPageDirectory } from './page-directory.ts';
import type { PageStore } from './ports.ts';
import { decodeSystem, encodeSystem, SYSTEM_PAGE } from './system-page.ts';
import { writePages } from './write-pages.ts';
import { LostRaceError } from './writer-state.ts';

/** Pages that are written in one command. */
const PAGES_PER_WRITE = 64;

/** Accounts that are kept decoded, at least. */
const DECODED = 50_000;

/**
 * Balances of one shard as of the last block that was taken in: loaded page by page on demand, evicted when memory is short. The
 * number of pages grows with the number of accounts (`pageBits`): a flush that finds the average page full splits them all, in memory;
 * in the store each is split when it is next written.
 */
export type Pages = StateReader & {
  /** Begins a round: judging a group of entries. Rounds end in the order in which they begin. */
  beginRound: () => number;
  /** Brings the pages of these accounts into memory; they stay until the round is done. */
  load: (accountIds: Iterable<string>, round: number) => Promise<void>;
  /** Called when neither this round nor one before it needs its pages any more. */
  done: (round: number) => void;
  /** An account's state, never changed in place. */
  read: (accountId: string) => Promise<AccountState | undefined>;
  /** Balances of the system accounts, by `<name>/<token>`. */
  systems: () => ReadonlyMap<string, Amount>;
  /** Takes in what a block does. */
  merge: (speculation: Speculation) => void;
  /**
   * Writes what has changed, all as of block n, which must be the last one that was taken in.
   * @throws LostRaceError when another writer has stored later balances
   */
  flush: (n: number) => Promise<void>;
  /** Called when a checkpoint at block n was stored. */
  covered: (n: number) => void;
  /** The latest block that a stored version was as of at the start. Before the journal has been read up to it nothing can be flushed. */
  newest: () => number;
  /** Accounts in memory. */
  size: () => number;
};

export type PagesOptions = {
  shard: string;
  store: PageStore;
  /** Beyond so many accounts in memory, pages that were not used lately are evicted. */
  maxAccounts: number;
  /** Block of the checkpoint: the stored pages are read as of it. */
  checkpoint: number;
};

/** @throws InvariantError when a page is stored with a wrong checksum */
export const openPages = async ({ shard, store, maxAccounts, checkpoint }: PagesOptions): Promise<Pages> => {
  const directory = createPageDirectory(await store.versions(shard), checkpoint);
  const pages = new Map<string, Page>();
  /** Accounts of the pages in memory: looked up several times for every transfer. */
  const decoded = createAccountCache(Math.min(DECODED, maxAccounts));
  const loading = new Map<string, Promise<void>>();

  /** The texts of pages by name, each found at its own version or in that of the page it was split from. */
  const fetchTexts = async (names: readonly string[]): Promise<Map<string, string>> => {
    const versions = new Map(names.flatMap((name) => [[name, directory.resolve(name)] as const]));
    const wanted = [...new Set([...versions.values()].filter((version) => version !== undefined))];
    const stored = new Map((wanted.length === 0 ? [] : await store.find(shard, wanted)).map((one) => [one.page, one]));
    const texts = new Map<string, string>();
    for (const [name, version] of versions) {
      if (version === undefined) continue;
      const found = stored.get(version.page);
      if (found?.asOf !== version.asOf) throw new LostRaceError(`balance page ${version.page} was replaced by another writer`);
      // The page that it was split from has accounts of other pages as well.
      const own = version.page === name ? found.text : textOfRows(rowsOf(found.text).filter((row) => nameOf(idOfRow(row)) === name));
      texts.set(name, own);
    }
    return texts;
  };

  const system = decodeSystem((await fetchTexts([SYSTEM_PAGE])).get(SYSTEM_PAGE));
  let systemDirty = false;
  let bits = pageBits(system.accounts);
  let lastRound = 0;
  let doneRound = 0;
  let size = 0;

  const nameOf = (accountId: string): string => pageOf(accountId, bits);

  const fetchPages = async (names: readonly string[], round: number): Promise<void> => {
    const texts = await fetchTexts(names);
    for (const name of names) {
      const page = createPage(texts.get(name) ?? NO_ACCOUNTS, round);
      pages.set(name, page);
      size += page.weight;
    }
  };

  /** Least recently used first: a page that is used moves to the end of the map. */
  const evict = (): void => {
    for (const [name, page] of pages) {
      if (size <= maxAccounts) return;
      if (page.changed !== undefined || page.writing !== undefined || page.usedIn > doneRound) continue;
      pages.delete(name);
      size -= page.weight;
    }
  };

  /** Marks those that are in memory as used, and returns the others. */
  const touch = (names: ReadonlySet<string>, round: number): string[] => {
    const missing: string[] = [];
    for (const name of names) {
      const page = pages.get(name);
      if (page === undefined) {
        missing.push(name);
        continue;
      }
      page.usedIn = Math.max(page.usedIn, round);
      pages.delete(name);
      pages.set(name, page);
    }
    return missing;
  };

  const loadAccounts = async (accountIds: readonly string[], round: number): Promise<void> => {
    // Repeated, in case a page is evicted, or split, in between.
    for (;;) {
      const missing = touch(new Set(accountIds.map(nameOf)), round);
      if (missing.length === 0) return;
      evict();
      const fresh = missing.filter((name) => !loading.has(name));
      if (fresh.length > 0) {
        const work = fetchPages(fresh, round).finally(() => {
          for (const name of fresh) loading.delete(name);
        });
        for (const name of fresh) loading.set(name, work);
      }
      await Promise.all(missing.map((name) => loading.get(name)));
    }
  };

  const pageFor = (accountId: string): Page => {
    const page = pages.get(nameOf(accountId));
    if (page === undefined) throw new Error(`the page of account ${accountId} is not in memory`);
    return page;
  };

  /** Splits the pages in memory when there are more accounts than they are meant for. */
  const split = (): void => {
    const wanted = pageBits(system.accounts);
    if (wanted === bits || loading.size > 0) return;
    bits = wanted;
    const before = [...pages];
    pages.clear();
    size = 0;
    for (const [name, { text, changed, usedIn }] of before) {
      const rows = new Map(childrenOf(name, bits).map((child): [string, string[]] => [child, []]));
      for (const row of rowsOf(text)) rows.get(nameOf(idOfRow(row)))?.push(row);
      for (const [child, own] of rows) {
        const page = createPage(textOfRows(own), usedIn);
        pages.set(child, page);
        size += page.weight;
      }
      for (const [id, account] of changed ?? []) changeIn(pageFor(id), id, account);
    }
  };

  const flush = async (asOf: number): Promise<void> => {
    split();
    const changed = [...pages].filter(([, page]) => page.changed !== undefined);
    for (const [, page] of changed) beginWriting(page);
    let systemText = systemDirty ? encodeSystem(system.accounts, system.balances) : undefined;
    systemDirty = false;
    let written = 0;
    try {
      while (written < changed.length || systemText !== undefined) {
        const some = changed.slice(written, written + PAGES_PER_WRITE).map(([name, page]) => ({ name, page, text: textToWrite(page) }));
        await writePages({ shard, store, directory }, asOf, some, systemText);
        systemText = undefined;
        written += some.length;
        for (const { page, text } of some) size += wasWritten(page, text);
      }
    } catch (error) {
      for (const [, page] of changed.slice(written)) wasNotWritten(page);
      if (systemText !== undefined) systemDirty = true;
      throw error;
    }
  };

  const accountOf = (id: string): AccountState | undefined => {
    const known = decoded.get(id);
    if (known !== undefined) return known;
    const found = accountIn(pageFor(id), id);
    if (found !== undefined) decoded.set(id, found);
    return found;
  };

  const put = (id: string, account: AccountState): void => {
    assertSound(id, account);
    const page = pageFor(id);
    if (accountOf(id) === undefined) {
      size += 1;
      page.weight += 1;
      system.accounts += 1;
      systemDirty = true;
    }
    changeIn(page, id, account);
    decoded.set(id, account);
  };

  return {
    account: accountOf,
    system: (name, token) => system.balances.get(systemKey(name, token)) ?? 0n,
    systems: () => system.balances,
    beginRound: () => {
      lastRound += 1;
      return lastRound;
    },
    load: (accountIds, round) => loadAccounts([...accountIds], round),
    done: (round) => {
      doneRound = Math.max(doneRound, round);
    },
    read: async (accountId) => {
      for (;;) {
        if (pages.has(nameOf(accountId))) return accountOf(accountId);
        await loadAccounts([accountId], 0);
      }
    },
    merge: (speculation) => {
      for (const [id, account] of speculation.accounts()) put(id, account);
      for (const [key, balance] of speculation.systems()) system.balances.set(key, balance);
      if (speculation.systems().size > 0) systemDirty = true;
    },
    flush,
    covered: directory.covered,
    newest: directory.newest,
    size: () => size,
  };
};
