import { hash } from 'node:crypto';
import type { AccountState } from '../domain/account-state.ts';
import { encodeAccounts } from '../domain/balance-page.ts';
import { blockId } from '../domain/block.ts';
import type { Speculation, WholeState } from '../domain/shard-state.ts';
import { encodeSystem, pageNameOf, SYSTEM_PAGE } from './pages.ts';
import type { PageStore } from './ports.ts';

const digest = (text: string): string => hash('sha256', text, 'base64url');

type Bad = { block: string; problem: string };

/**
 * Compares stored balances with derived ones, each page when the walk has come to the block that it is as of. A start takes the
 * pages for granted up to the checkpoint: a page that lacks what a block up to there does is as bad as a wrong one.
 * @param paged block of the checkpoint, read before the pages; 0 without one
 */
export const createPageCheck = async (shard: string, store: Pick<PageStore, 'all'>, paged: number) => {
  const storedAsOf = new Map<string, number>();
  const due = new Map<number, { page: string; digest: string }[]>();
  for await (const { page, asOf, text } of store.all(shard)) {
    storedAsOf.set(page, asOf);
    const list = due.get(asOf) ?? [];
    list.push({ page, digest: digest(text) });
    due.set(asOf, list);
  }
  const members = new Map<string, Set<string>>();

  const textOf = (page: string, state: WholeState): string => {
    if (page === SYSTEM_PAGE) return encodeSystem(state.systems());
    const accounts: [string, AccountState][] = [];
    for (const id of members.get(page) ?? []) {
      const account = state.account(id);
      if (account !== undefined) accounts.push([id, account]);
    }
    return encodeAccounts(accounts);
  };

  /** Notes which pages a block changes; answers them. */
  const touch = ({ accounts, systems }: Pick<Speculation, 'accounts' | 'systems'>): Set<string> => {
    const touched = new Set<string>(systems().size === 0 ? [] : [SYSTEM_PAGE]);
    for (const id of accounts().keys()) {
      const page = pageNameOf(id);
      touched.add(page);
      const list = members.get(page);
      if (list === undefined) members.set(page, new Set([id]));
      else list.add(id);
    }
    return touched;
  };

  return {
    /** What is wrong with the pages, looking at block n, which changed something, given the state after it. */
    check: (n: number, changed: Pick<Speculation, 'accounts' | 'systems'>, state: WholeState): Bad | undefined => {
      const bad = (page: string, problem: string): Bad => ({ block: blockId(shard, n), problem: `balance page ${page}${problem}` });
      for (const page of touch(changed)) {
        if (n <= paged && (storedAsOf.get(page) ?? 0) < n) return bad(page, ' lacks this block, although the checkpoint counts on it');
      }
      const wrong = due.get(n)?.find((stored) => digest(textOf(stored.page, state)) !== stored.digest);
      due.delete(n);
      return wrong && bad(wrong.page, ', as of this block, does not hold what the journal says');
    },
    /** What only the whole can tell: pages as of a block that there is not. */
    end: (): Bad | undefined => {
      for (const [n, [first]] of due) {
        if (first !== undefined)
          return { block: blockId(shard, n), problem: `balance page ${first.page} is as of this block, which is missing` };
      }
      return undefined;
    },
  };
};
