import { hash } from 'node:crypto';
import type { AccountState } from '../domain/account-state.ts';
import { encodeAccounts } from '../domain/balance-page.ts';
import { blockId } from '../domain/block.ts';
import { pageBits, pageOf } from '../domain/placement.ts';
import type { Speculation, WholeState } from '../domain/shard-state.ts';
import { createPageDirectory } from './page-directory.ts';
import type { PageStore, PageVersion } from './ports.ts';
import { decodeSystem, encodeSystem, SYSTEM_PAGE } from './system-page.ts';

const digest = (text: string): string => hash('sha256', text, 'base64url');

type Bad = { block: string; problem: string };

/**
 * Compares stored balances with derived ones, each version of a page when the walk reaches the block that it is as of. A start relies
 * on the versions up to the checkpoint: one that lacks what a block up to there does is as bad as a wrong one.
 * @param paged block of the checkpoint, read before the pages; 0 without one
 */
export const createPageCheck = async (shard: string, store: Pick<PageStore, 'all'>, paged: number) => {
  const versions: PageVersion[] = [];
  const due = new Map<number, { page: string; digest: string }[]>();
  let accounts = 0;
  let newestSystem = -1;
  for await (const { text, ...version } of store.all(shard)) {
    const { page, asOf } = version;
    versions.push(version);
    due.set(asOf, [...(due.get(asOf) ?? []), { page, digest: digest(text) }]);
    if (page !== SYSTEM_PAGE || asOf <= newestSystem) continue;
    newestSystem = asOf;
    accounts = decodeSystem(text).accounts;
  }
  // The newest ones: beside a ledger that runs, those of the checkpoint that was read may have been replaced.
  const directory = createPageDirectory(versions, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  const currentBits = pageBits(accounts);
  /** All widths of page names that are stored, with the accounts of each page. */
  const members = new Map<number, Map<string, Set<string>>>();
  for (const { page } of versions) if (page !== SYSTEM_PAGE) members.set(Number(page.split('.')[0]), new Map());

  const textOf = (page: string, state: WholeState): string => {
    if (page === SYSTEM_PAGE) return encodeSystem(state.accounts().size, state.systems());
    const states: [string, AccountState][] = [];
    for (const id of members.get(Number(page.split('.')[0]))?.get(page) ?? []) {
      const account = state.account(id);
      if (account !== undefined) states.push([id, account]);
    }
    return encodeAccounts(states);
  };

  const addMember = (id: string): void => {
    for (const [bits, pages] of members) {
      const page = pageOf(id, bits);
      const ids = pages.get(page);
      if (ids === undefined) pages.set(page, new Set([id]));
      else ids.add(id);
    }
  };

  /** The pages that hold what a block changed. */
  const changedPages = ({ accounts: changed, systems }: Pick<Speculation, 'accounts' | 'systems'>): Set<string> =>
    new Set([...[...changed().keys()].map((id) => pageOf(id, currentBits)), ...(systems().size > 0 ? [SYSTEM_PAGE] : [])]);

  return {
    /** What is wrong with the pages at block n, which changed something, given the state after it; undefined when nothing is. */
    check: (n: number, changed: Pick<Speculation, 'accounts' | 'systems'>, state: WholeState): Bad | undefined => {
      const bad = (page: string, problem: string): Bad => ({ block: blockId(shard, n), problem: `balance page ${page}${problem}` });
      for (const id of changed.accounts().keys()) addMember(id);
      for (const page of n <= paged ? changedPages(changed) : []) {
        if ((directory.resolve(page)?.asOf ?? 0) < n) return bad(page, ' lacks this block, although the checkpoint covers it');
      }
      const wrong = due.get(n)?.find((stored) => digest(textOf(stored.page, state)) !== stored.digest);
      due.delete(n);
      return wrong && bad(wrong.page, ', as of this block, does not hold what the journal says');
    },
    /** What only the whole can tell: pages as of a block that does not exist. */
    end: (): Bad | undefined => {
      for (const [n, [first]] of due) {
        if (first !== undefined)
          return { block: blockId(shard, n), problem: `balance page ${first.page} is as of this block, which is missing` };
      }
      return undefined;
    },
  };
};
