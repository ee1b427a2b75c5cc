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
  if (paged !== undefined && paged.n === undefined) throw new AuditError(`${shard}:${projected ?? 0}`, 'the checkpoint names no block');
  return { projected: projected ?? 0, ...(paged === undefined ? {} : { paged }) };
};

/**
 * Holds the accounts of stored balance pages against derived ones, each when the walk is at the block that its page is as of. A
 * start relies on the pages up to the checkpoint: an account whose page lacks a block up to there is as bad as a wrong one.
 * @param paged block of the checkpoint, read before the pages; 0 without one
 * @param covers the accounts that this walk derives
 */
export const createPageCheck = async (source: Source, shard: string, paged: number, covers: (id: string) => boolean) => {
  const pages = source.collection('balance_pages');
  /** Newest version of the account's line on which the checkpoint relies. */
  const newest = new Map<string, { asOf: number; digest: string }>();
  /** Accounts that changed after that version, with the first block that did it. They may have changed back by the checkpoint. */
  const stale = new Map<string, number>();
  const due = new Map<number, { account: string; digest: string }[]>();
  /** Accounts with a version after the checkpoint; all system accounts are one. */
  const later = new Set<string>();
  let system: { asOf: number; lines: AccountLine[] } = { asOf: 0, lines: [] };
  for await (const page of pages.find({ shard }).batchSize(20) as AsyncIterable<StoredPage>) {
    const { asOf } = page;
    const sum = hash('sha256', JSON.stringify([shard, page.page, page.slot, asOf, page.text]), 'base64url');
    if (page._id !== `${shard}:${page.page}:${page.slot}` || page.sum !== sum)
      throw new AuditError(`${shard}:${asOf}`, `balance page ${page._id} has a wrong checksum`);
    const lines = linesOf(page).filter(([account]) => covers(account));
    const versions = lines.map((line) => ({ account: line[0], digest: digestOf(line) }));
    const list = due.get(asOf) ?? [];
    due.set(asOf, list);
    for (const version of versions) list.push(version);
    for (const { account } of asOf > paged ? versions : []) later.add(page.page === 'system' ? 'system' : account);
    if (asOf > paged) continue;
    if (page.page === 'system') system = asOf > system.asOf ? { asOf, lines } : system;
    else for (const { account, digest } of versions) if (asOf > (newest.get(account)?.asOf ?? 0)) newest.set(account, { asOf, digest });
  }
  // A system account without money is not listed, so an older version may list what the newest does not.
  for (const line of system.lines) newest.set(line[0], { asOf: system.asOf, digest: digestOf(line) });
  const strays = pages.find({ _id: { $regex: `^${shard}:` }, shard: { $ne: shard } }) as AsyncIterable<StoredPage>;
  for await (const { _id, asOf } of strays) throw new AuditError(`${shard}:${asOf}`, `balance page ${_id} names another shard`);

  // While the ledger runs, the checkpoint may have moved meanwhile, and a version that it needed before may have been replaced.
  if (((await readCheckpoint(source, shard)).paged?.n ?? 0) === paged) later.clear();

  return {
    /** @param touched accounts that block n changes, or with which the walk begins @throws AuditError */
    check: (n: number, touched: Iterable<string>, lineOf: (id: string) => AccountLine | undefined): void => {
      const isSame = (account: string, digest: string | undefined): boolean => {
        const line = lineOf(account);
        return line !== undefined && digestOf(line) === (digest ?? (line[1] === 'system' ? digestOf([account, 'system', [], []]) : ''));
      };
      for (const account of n > paged ? [] : [...touched].filter(covers))
        if ((newest.get(account)?.asOf ?? 0) < n && !stale.has(account)) stale.set(account, n);
      for (const [account, first] of n === paged ? stale : []) {
        if (later.has(lineOf(account)?.[1] === 'system' ? 'system' : account) || isSame(account, newest.get(account)?.digest)) continue;
        throw new AuditError(`${shard}:${first}`, `the balance page of ${account} lacks this block, on which the checkpoint relies`);
      }
      for (const { account, digest } of due.get(n) ?? []) {
        if (isSame(account, digest)) continue;
        throw new AuditError(`${shard}:${n}`, `the balance page of ${account}, as of this block, differs from the journal`);
      }
    },
    /** @param last the last block of the walk @throws AuditError when a page is as of a block that is not in the journal */
    end: (last: number): void => {
      for (const [n, [first]] of due)
        if (n > last) throw new AuditError(`${shard}:${n}`, `the balance page of ${first?.account} is newer than the journal`);
    },
  };
};

export const samePlace = (a: Place, b: Place): boolean => isDeepStrictEqual([a.n, a.hash, a.at], [b.n, b.hash, b.at]);
