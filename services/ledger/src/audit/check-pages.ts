import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AccountLine } from './book.ts';
import type { Place } from './read-blocks.ts';
import { AuditError, type Source } from './source.ts';

type StoredPage = { _id: string; shard: string; page: string; slot: number; asOf: number; text: string; sum: string };

/** Accounts on a page. The system page has the number of accounts, and rows `[<account>/<token>, amount]`. */
const linesOf = ({ page, text }: StoredPage): AccountLine[] => {
  if (page !== 'system') return JSON.parse(text) as AccountLine[];
  const systems = new Map<string, [string, string][]>();
  for (const [key, amount] of (JSON.parse(text) as [number, [string, string][]])[1]) {
    const [name = '', token = ''] = key.split('/');
    systems.set(name, [...(systems.get(name) ?? []), [token, amount]]);
  }
  return [...systems].map(([name, balances]) => [name, 'system', balances, []]);
};

const digestOf = (line: AccountLine): string => hash('sha256', JSON.stringify(line), 'base64url');

/**
 * Holds the accounts of stored balance pages against derived ones, each when the walk is at the block that its page is as of. A
 * start relies on the pages up to the checkpoint: an account whose page lacks a block up to there is as bad as a wrong one.
 * @param paged block of the checkpoint, read before the pages; 0 without one
 */
export const createPageCheck = async (source: Source, shard: string, start: Place, paged: number, covers: (id: string) => boolean) => {
  /** Newest version of the account's line on which the checkpoint relies. */
  const newest = new Map<string, { asOf: number; digest: string }>();
  /** Accounts that changed after that version, with the first block that did it. They may have changed back by the checkpoint. */
  const stale = new Map<string, number>();
  let system: StoredPage | undefined;
  const due = new Map<number, { account: string; digest: string }[]>();
  for await (const page of source.collection('balance_pages').find({ shard }).batchSize(20) as AsyncIterable<StoredPage>) {
    const id = `${shard}:${page.asOf}`;
    const sum = hash('sha256', JSON.stringify([shard, page.page, page.slot, page.asOf, page.text]), 'base64url');
    if (page._id !== `${shard}:${page.page}:${page.slot}` || page.sum !== sum)
      throw new AuditError(id, `balance page ${page._id} has a wrong checksum`);
    if (page.page === 'system' && page.asOf <= paged && page.asOf > (system?.asOf ?? 0)) system = page;
    for (const line of linesOf(page).filter(([account]) => covers(account))) {
      const [account] = line;
      const digest = digestOf(line);
      const isNewer = page.asOf <= paged && page.asOf > (newest.get(account)?.asOf ?? 0);
      if (isNewer && page.page !== 'system') newest.set(account, { asOf: page.asOf, digest });
      const list = due.get(page.asOf) ?? [];
      due.set(page.asOf, list);
      list.push({ account, digest });
    }
  }
  // A system account without money is not listed, so an older version may list what the newest does not.
  for (const line of system === undefined ? [] : linesOf(system).filter(([account]) => covers(account)))
    newest.set(line[0], { asOf: system?.asOf ?? 0, digest: digestOf(line) });
  const strays = source
    .collection('balance_pages')
    .find({ _id: { $regex: `^${shard}:` }, shard: { $ne: shard } }) as AsyncIterable<StoredPage>;
  for await (const { _id, asOf } of strays) throw new AuditError(`${shard}:${asOf}`, `balance page ${_id} names another shard`);
  // Of what is older than the start only the newest can be checked: it must still hold there.
  for (const n of [...due.keys()].filter((asOf) => asOf < start.n)) {
    const standing = (due.get(n) ?? []).filter(({ account }) => newest.get(account)?.asOf === n);
    due.set(start.n, [...(due.get(start.n) ?? []), ...standing]);
    due.delete(n);
    for (const { account, digest } of standing) newest.set(account, { asOf: start.n, digest });
  }
  const checkStale = (lineOf: (id: string) => AccountLine | undefined): void => {
    for (const [account, first] of stale) {
      const line = lineOf(account);
      const stored = newest.get(account)?.digest ?? (line?.[1] === 'system' ? digestOf([account, 'system', [], []]) : '');
      if (line !== undefined && digestOf(line) !== stored) {
        throw new AuditError(`${shard}:${first}`, `the balance page of ${account} lacks this block, on which the checkpoint relies`);
      }
    }
  };
  return {
    /** @param touched accounts that block n changes @throws AuditError */
    check: (n: number, touched: Iterable<string>, lineOf: (id: string) => AccountLine | undefined): void => {
      const id = `${shard}:${n}`;
      for (const account of touched) {
        const asOf = newest.get(account)?.asOf ?? 0;
        if (n <= paged && asOf < n && !stale.has(account)) stale.set(account, n);
      }
      if (n === paged) checkStale(lineOf);
      for (const { account, digest } of due.get(n) ?? []) {
        const line = lineOf(account);
        if (line === undefined || digest !== digestOf(line)) {
          throw new AuditError(id, `the balance page of ${account}, as of this block, differs from the journal`);
        }
      }
      due.delete(n);
    },
    /** @throws AuditError when a page is as of a block that is not in the journal */
    end: (): void => {
      for (const [n, [first]] of due)
        throw new AuditError(`${shard}:${n}`, `the balance page of ${first?.account} is newer than the journal`);
    },
  };
};

type StoredCheckpoint = { epoch?: number; epochSum?: string; projected?: number; projectedSum?: string; paged?: Place };

/** How far pages and projections are relied upon. @throws AuditError */
export const readCheckpoint = async (source: Source, shard: string): Promise<{ projected: number; paged?: Place }> => {
  const [stored = {}] = await Array.fromAsync(source.collection('checkpoints').find({ _id: shard }) as AsyncIterable<StoredCheckpoint>);
  const { epoch, epochSum, projected, projectedSum, paged } = stored;
  const sumOf = (name: string, n: number | undefined) =>
    n === undefined ? undefined : hash('sha256', `${shard}:${name}:${n}`, 'base64url');
  if (epochSum !== sumOf('epoch', epoch) || projectedSum !== sumOf('projected', projected)) {
    throw new AuditError(`${shard}:${projected ?? 0}`, 'the checkpoint has a wrong checksum');
  }
  return { projected: projected ?? 0, ...(paged === undefined ? {} : { paged }) };
};

export const samePlace = (a: Place, b: Place): boolean => isDeepStrictEqual([a.n, a.hash, a.at], [b.n, b.hash, b.at]);
