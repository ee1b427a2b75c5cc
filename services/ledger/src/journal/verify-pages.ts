import { hash } from 'node:crypto';
import type { AccountState } from '../domain/account-state.ts';
import { encodeAccounts } from '../domain/balance-page.ts';
import { blockId } from '../domain/block.ts';
import type { WholeState } from '../domain/shard-state.ts';
import { encodeSystem, pageNameOf, SYSTEM_PAGE } from './pages.ts';
import type { PageStore } from './ports.ts';

const digest = (text: string): string => hash('sha256', text, 'base64url');

/** Compares stored balances with derived ones, each page when the walk has come to the block that it is as of. */
export const createPageCheck = async (shard: string, store: Pick<PageStore, 'all'>) => {
  const due = new Map<number, { page: string; digest: string }[]>();
  for await (const { page, asOf, text } of store.all(shard)) {
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

  return {
    /** Says which accounts a block touched. */
    touch: (accountIds: Iterable<string>): void => {
      for (const id of accountIds) {
        const page = pageNameOf(id);
        const list = members.get(page);
        if (list === undefined) members.set(page, new Set([id]));
        else list.add(id);
      }
    },
    /** What is wrong with the pages that are as of block n, given the state after it. */
    check: (n: number, state: WholeState): { block: string; problem: string } | undefined => {
      const bad = due.get(n)?.find((stored) => digest(textOf(stored.page, state)) !== stored.digest);
      return (
        bad && { block: blockId(shard, n), problem: `balance page ${bad.page}, as of this block, does not hold what the journal says` }
      );
    },
  };
};
