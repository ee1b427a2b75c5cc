import type { Amount } from '@florin/rpc/money';
import type { AccountState } from '../domain/account-state.ts';
import { assertSound, decodeAccounts, encodeAccounts } from '../domain/balance-page.ts';
import { pageOf } from '../domain/placement.ts';
import { type Speculation, type StateReader, systemKey } from '../domain/shard-state.ts';
import type { PageStore, StoredPage } from './ports.ts';

/** Name of the page that holds a shard's system accounts. */
export const SYSTEM_PAGE = 'system';

/** Pages that are written in one command. */
const PAGES_PER_WRITE = 32;

type Page = {
  accounts: Map<string, AccountState>;
  /** Everything up to this block is in it; what is in memory may be older than what is stored only until it is written. */
  asOf: number;
  dirty: boolean;
  /** What changed is on its way to the store, which does not answer it yet. */
  writing: boolean;
  /** Round in which it was asked for last. */
  usedIn: number;
};

/** Balances of one shard as of its last block that is taken in: loaded page by page when they are asked for, forgotten when memory is short. */
export type Pages = StateReader & {
  /** Begins a round: the judging of entries that belong together. Rounds end in the order in which they began. */
  beginRound: () => number;
  /** Brings the pages of these accounts into memory; they stay until the round is done. */
  load: (accountIds: Iterable<string>, round: number) => Promise<void>;
  /** Says that neither this round nor one before it needs its pages any more. */
  done: (round: number) => void;
  /** An account's state, never changed in place. */
  read: (accountId: string) => Promise<AccountState | undefined>;
  /** Balances of the system accounts, by `<name>/<token>`. */
  systems: () => ReadonlyMap<string, Amount>;
  /** Whether the page of an account (or, without one, of the system) was stored as of block n or later. */
  settled: (accountId: string | undefined, n: number) => boolean;
  /** Takes in what block n does. */
  merge: (speculation: Speculation, n: number) => void;
  /** Writes what changed, as of block `n()`. */
  flush: (n: () => number) => Promise<void>;
  /** Accounts in memory. */
  size: () => number;
};

/** Name of the page that holds an account. */
export const pageNameOf = (accountId: string): string => String(pageOf(accountId));

const decodeSystem = (text: string): Map<string, Amount> =>
  new Map((JSON.parse(text) as [string, string][]).map(([key, amount]) => [key, BigInt(amount)]));

export const encodeSystem = (systems: ReadonlyMap<string, Amount>): string =>
  JSON.stringify(
    [...systems]
      .filter(([, amount]) => amount !== 0n)
      .map(([key, amount]) => [key, amount.toString()])
      .sort(),
  );

/** @param maxAccounts beyond so many accounts in memory, pages that were not used lately are forgotten */
export const openPages = async (options: { shard: string; store: PageStore; maxAccounts: number }): Promise<Pages> => {
  const { shard, store, maxAccounts } = options;
  const pages = new Map<string, Page>();
  const loading = new Map<string, Promise<void>>();
  const [storedSystem] = await store.find(shard, [SYSTEM_PAGE]);
  const system = { balances: decodeSystem(storedSystem?.text ?? '[]'), asOf: storedSystem?.asOf ?? 0, dirty: false };
  let lastRound = 0;
  let settledRound = 0;
  let size = 0;

  const take = (name: string, stored: StoredPage | undefined, round: number): void => {
    const accounts = stored === undefined ? new Map<string, AccountState>() : decodeAccounts(stored.text);
    pages.set(name, { accounts, asOf: stored?.asOf ?? 0, dirty: false, writing: false, usedIn: round });
    size += accounts.size;
  };

  const fetchPages = async (names: readonly string[], round: number): Promise<void> => {
    const stored = new Map((await store.find(shard, names)).map((one) => [one.page, one]));
    for (const name of names) take(name, stored.get(name), round);
  };

  /** Least recently used first: a page that is asked for moves to the end of the map. */
  const evict = (): void => {
    for (const [name, page] of pages) {
      if (size <= maxAccounts) return;
      if (page.dirty || page.writing || page.usedIn > settledRound) continue;
      pages.delete(name);
      size -= page.accounts.size;
    }
  };

  /** Marks those that are in memory as used, and answers the others. */
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

  const loadNames = async (names: ReadonlySet<string>, round: number): Promise<void> => {
    // Again, should a page be forgotten in the moment between.
    for (let missing = touch(names, round); missing.length > 0; missing = touch(names, round)) {
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
    const page = pages.get(pageNameOf(accountId));
    if (page === undefined) throw new Error(`the page of account ${accountId} is not in memory`);
    return page;
  };

  return {
    account: (accountId) => pageFor(accountId).accounts.get(accountId),
    system: (name, token) => system.balances.get(systemKey(name, token)) ?? 0n,
    systems: () => system.balances,
    beginRound: () => {
      lastRound += 1;
      return lastRound;
    },
    load: (accountIds, round) => loadNames(new Set([...accountIds].map(pageNameOf)), round),
    done: (round) => {
      settledRound = Math.max(settledRound, round);
    },
    read: async (accountId) => {
      const name = pageNameOf(accountId);
      for (let page = pages.get(name); ; page = pages.get(name)) {
        if (page !== undefined) return page.accounts.get(accountId);
        await loadNames(new Set([name]), 0);
      }
    },
    settled: (accountId, n) => (accountId === undefined ? system.asOf : pageFor(accountId).asOf) >= n,
    merge: (speculation, n) => {
      for (const [id, account] of speculation.accounts()) {
        assertSound(id, account);
        const page = pageFor(id);
        if (page.asOf >= n) continue;
        if (!page.accounts.has(id)) size += 1;
        page.accounts.set(id, account);
        page.dirty = true;
      }
      if (system.asOf >= n || speculation.systems().size === 0) return;
      for (const [key, balance] of speculation.systems()) system.balances.set(key, balance);
      system.dirty = true;
    },
    flush: async (n) => {
      const names = [...pages].filter(([, page]) => page.dirty).map(([name]) => name);
      for (let start = 0; start < names.length || start === 0; start += PAGES_PER_WRITE) {
        // Encoded at once, hence all as of one and the same block.
        const asOf = n();
        const written = names.slice(start, start + PAGES_PER_WRITE).flatMap((name) => {
          const page = pages.get(name);
          return page === undefined ? [] : [{ name, page, text: encodeAccounts(page.accounts) }];
        });
        const systemText = start === 0 && system.dirty ? encodeSystem(system.balances) : undefined;
        for (const { page } of written) {
          page.dirty = false;
          page.writing = true;
        }
        if (systemText !== undefined) system.dirty = false;
        const texts = written.map(({ name, text }) => ({ page: name, asOf, text }));
        try {
          await store.save(shard, systemText === undefined ? texts : [...texts, { page: SYSTEM_PAGE, asOf, text: systemText }]);
        } catch (error) {
          for (const { page } of written) page.dirty = true;
          if (systemText !== undefined) system.dirty = true;
          throw error;
        } finally {
          for (const { page } of written) page.writing = false;
        }
      }
    },
    size: () => size,
  };
};
