import type { Amount } from '@florin/rpc/money';
import type { AccountState } from '../domain/account-state.ts';
import { assertSound, decodeAccounts } from '../domain/balance-page.ts';
import { childrenOf, pageBits, pageOf } from '../domain/placement.ts';
import { type Speculation, type StateReader, systemKey } from '../domain/shard-state.ts';
import type { Page } from './page.ts';
import { createPageDirectory } from './page-directory.ts';
import type { PageStore } from './ports.ts';
import { decodeSystem, encodeSystem, SYSTEM_PAGE } from './system-page.ts';
import { type Snapshot, writePages } from './write-pages.ts';
import { LostRaceError } from './writer-state.ts';

/** Pages that are written in one command. */
const PAGES_PER_WRITE = 64;

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
  /** Says that neither this round nor one before it needs its pages any more. */
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
  /** Says that a checkpoint at block n has been stored. */
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
  /** The journal's last block. */
  last: number;
};

/** @throws InvariantError when stored pages are as of blocks that the journal does not have */
export const openPages = async ({ shard, store, maxAccounts, checkpoint, last }: PagesOptions): Promise<Pages> => {
  const directory = createPageDirectory(await store.versions(shard), checkpoint, last);
  const pages = new Map<string, Page>();
  /** The accounts of all pages in memory: looked up several times for every transfer. */
  const states = new Map<string, AccountState>();
  const loading = new Map<string, Promise<void>>();

  /** The texts of pages by name, each found at its own version or at that of the page it was split from. */
  const fetchTexts = async (names: readonly string[]): Promise<Map<string, string>> => {
    const versions = new Map(names.flatMap((name) => [[name, directory.resolve(name)] as const]));
    const wanted = [...new Set([...versions.values()].filter((version) => version !== undefined))];
    const stored = new Map((wanted.length === 0 ? [] : await store.find(shard, wanted)).map((one) => [one.page, one]));
    const texts = new Map<string, string>();
    for (const [name, version] of versions) {
      if (version === undefined) continue;
      const found = stored.get(version.page);
      if (found?.asOf !== version.asOf) throw new LostRaceError(`balance page ${version.page} was replaced by another writer`);
      texts.set(name, found.text);
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
    const [texts, bitsThen] = [await fetchTexts(names), bits];
    for (const name of names) {
      // Another page of one bit less may hold accounts of its other half as well.
      const all = decodeAccounts(texts.get(name) ?? '[]');
      for (const id of all.keys()) if (pageOf(id, bitsThen) !== name) all.delete(id);
      for (const [id, account] of all) states.set(id, account);
      pages.set(name, { accounts: all, dirty: false, writing: false, shared: false, usedIn: round });
      size += all.size;
    }
  };

  /** Least recently used first: a page that is used moves to the end of the map. */
  const evict = (): void => {
    for (const [name, page] of pages) {
      if (size <= maxAccounts) return;
      if (page.dirty || page.writing || page.usedIn > doneRound) continue;
      pages.delete(name);
      for (const id of page.accounts.keys()) states.delete(id);
      size -= page.accounts.size;
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
    for (const [name, { accounts, ...page }] of before) {
      for (const child of childrenOf(name, bits)) pages.set(child, { ...page, accounts: new Map() });
      for (const [id, account] of accounts) pageFor(id).accounts.set(id, account);
    }
  };

  /** Snapshot of all changed pages; later changes are not in it. */
  const takeSnapshots = (): (Snapshot & { page: Page })[] => {
    const snapshots: (Snapshot & { page: Page })[] = [];
    for (const [name, page] of pages) {
      if (!page.dirty) continue;
      page.dirty = false;
      page.writing = true;
      page.shared = true;
      snapshots.push({ name, page, accounts: page.accounts });
    }
    return snapshots;
  };

  const flush = async (asOf: number): Promise<void> => {
    split();
    const snapshots = takeSnapshots();
    let systemText = systemDirty ? encodeSystem(system.accounts, system.balances) : undefined;
    systemDirty = false;
    let written = 0;
    try {
      while (written < snapshots.length || systemText !== undefined) {
        const some = snapshots.slice(written, written + PAGES_PER_WRITE);
        await writePages({ shard, store, directory }, asOf, some, systemText);
        systemText = undefined;
        written += some.length;
      }
    } catch (error) {
      for (const { page } of snapshots.slice(written)) page.dirty = true;
      if (systemText !== undefined) systemDirty = true;
      throw error;
    } finally {
      for (const { page } of snapshots) {
        page.writing = false;
        page.shared = false;
      }
    }
  };

  const put = (id: string, account: AccountState): void => {
    assertSound(id, account);
    const page = pageFor(id);
    if (page.shared) page.accounts = new Map(page.accounts);
    page.shared = false;
    if (!page.accounts.has(id)) {
      size += 1;
      system.accounts += 1;
      systemDirty = true;
    }
    page.accounts.set(id, account);
    states.set(id, account);
    page.dirty = true;
  };

  return {
    account: (accountId) => states.get(accountId) ?? pageFor(accountId).accounts.get(accountId),
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
        const page = pages.get(nameOf(accountId));
        if (page !== undefined) return page.accounts.get(accountId);
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
