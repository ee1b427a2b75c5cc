import { type Head, type HeadContent, joinSubtrees, type Subtree, signatureProblem } from '@florin/evm/reserves';
import type { PublicKey } from '@florin/rpc/signing-key';
import { createAccountTree, forEachRange, type Range, rangeCovers } from '../heads/account-tree.ts';
import { type AccountLine, type Book, createBook } from './book.ts';
import { createAccountCheck } from './check-accounts.ts';
import { createHoldCheck } from './check-holds.ts';
import { createPageCheck, readCheckpoint, samePlace } from './check-pages.ts';
import { createRecordCheck } from './check-records.ts';
import { createRowCheck } from './check-rows.ts';
import { createRunCheck } from './check-runs.ts';
import { checkSnapshots } from './check-snapshots.ts';
import { GENESIS, type Place, type ReadBlock, readBlocks } from './read-blocks.ts';
import { AuditError, type Source, TooManyError } from './source.ts';

export type ShardAudit = {
  /** Block after which the audit began: 0, or that of the snapshot behind which older blocks are archived. */
  start: number;
  blocks: number;
  entries: number;
  /** Signed heads that were held against the journal. */
  heads: number;
  /** Sum of all ledger accounts, by token; complete only when nothing is bad. */
  sums: Map<string, bigint>;
  bad: { block: string; problem: string } | undefined;
};

/** State that a walk begins with. */
export type Opening = { place: Place; accounts: () => AsyncIterable<AccountLine> };

export type AuditOptions = {
  source: Source;
  shard: string;
  opening?: Opening;
  /** Signed heads, stored or kept elsewhere. */
  heads: readonly Head[];
  trusted: readonly PublicKey[];
  limits: { maxAccounts: number; maxIds: number };
  /** Reports whether an account belongs into this shard. Absent where there is only a journal, without records and snapshots beside it. */
  belongs?: (accountId: string) => boolean;
  progress?: (walked: number, of: number) => void;
};

/** Number of the last block after n; n when there is none. */
export const lastBlock = async (source: Source, shard: string, n: number): Promise<number> => {
  const found = source
    .collection('blocks')
    .find({ shard, n: { $gt: n } }, { projection: { n: 1 }, limit: 1, readConcern: { level: 'majority' } });
  for await (const last of found.sort({ n: -1 }) as AsyncIterable<{ n: number }>) return last.n;
  return n;
};

const addTo = (sums: Map<string, bigint>, balances: readonly (readonly [key: string, amount: string])[]): void => {
  for (const [key, amount] of balances) {
    const token = key.split('/', 1)[0] ?? '';
    sums.set(token, (sums.get(token) ?? 0n) + BigInt(amount));
  }
};

/** The beginning of a journal. */
export const EMPTY: Opening = { place: GENESIS, accounts: async function* () {} };

/** Applies a block to a book. @returns the accounts that it changes @throws AuditError; TooManyError */
export const applyBlock = (book: Book, { id, lines }: ReadBlock): Set<string> => {
  const touched = new Set<string>();
  for (const line of lines) {
    try {
      for (const account of book.apply(line)) touched.add(account);
    } catch (error) {
      if (error instanceof TooManyError) throw error;
      throw new AuditError(id, `entry ${line.id}: ${(error as Error).message}`);
    }
  }
  return touched;
};

/** Runs a check. @returns the block that disagrees, and why; undefined when none does */
export const faultOf = async (check: () => Promise<void>): Promise<{ block: string; problem: string } | undefined> => {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    return { block: error.block, problem: error.message };
  }
};

/**
 * Reads a shard's journal a second time, with code that the writer does not use, from its first block (or the snapshot behind which
 * older blocks are archived) to the last: hashes, arithmetic, signed heads, stored pages, projected rows and records. Reports the first block
 * that disagrees. Reads only. Accounts and ids are held up to `limits`: a longer journal is read several times, range by range.
 */
export const verifyShard = async (options: AuditOptions): Promise<ShardAudit> => {
  const { source, shard, opening = EMPTY, trusted, limits, belongs, progress } = options;
  const start = opening.place.n;
  const report: ShardAudit = { start, blocks: 0, entries: 0, heads: 0, sums: new Map(), bad: undefined };
  const heads = options.heads.filter((head) => head.shard === shard && head.n >= start).sort((a, b) => a.n - b.n);
  /** Contents of heads and snapshots to compare with the journal. */
  let stated: readonly HeadContent[] = heads;
  const parts = new Map<number, Subtree[]>();
  let end = start;

  const checkHeads = (place: Place): void => {
    const before = stated.findLast(({ n }) => n < place.n)?.n ?? start;
    for (const head of stated.filter(({ n }) => n === place.n)) {
      if (samePlace({ n: head.n, hash: head.hash, at: new Date(head.at) }, place)) continue;
      throw new AuditError(
        `${shard}:${place.n}`,
        `the signed head or the snapshot names another block; blocks ${before + 1} to ${place.n} were changed after it was signed`,
      );
    }
  };

  const readRange = async (range: Range): Promise<void> => {
    const covers = (id: string) => rangeCovers(range, id);
    const isFirst = range.from === 0;
    // In this order: what a checkpoint relies on is stored by then, and what is stored is in the journal by then.
    const { projected, paged } = await readCheckpoint(source, shard);
    const book = createBook({ covers, ...limits });
    const records = isFirst && belongs !== undefined ? await createRecordCheck(source, shard, start, projected) : undefined;
    const archived = (id: string): void => {
      if (covers(id)) book.isNewId(id);
      records?.archived(id);
    };
    const runs = isFirst || start > 0 ? await createRunCheck(source, shard, start, archived) : undefined;
    const pages = await createPageCheck(source, shard, paged?.n ?? 0, covers);
    const holds = await createHoldCheck(source, shard, projected);
    const last = await lastBlock(source, shard, end);
    if (Math.max(projected, paged?.n ?? 0) > last) throw new AuditError(`${shard}:${last + 1}`, 'the checkpoint is newer than the journal');
    const accounts = belongs && createAccountCheck({ source, shard, start, projected, covers }, belongs);
    const rows = createRowCheck(source, shard, start, Math.min(projected, last));
    const tree = createAccountTree(range);
    const changed = new Set<string>();
    const sums = new Map<string, bigint>();
    let entries = 0;

    const arrive = (place: Place, touched: Iterable<string>): void => {
      for (const id of touched) changed.add(id);
      checkHeads(place);
      if (stated.some(({ n, root }) => n === place.n && root !== undefined)) {
        for (const line of [...changed].flatMap((id) => [book.lineOf(id)])) if (line !== undefined) tree.put(line);
        changed.clear();
        parts.set(place.n, [...(parts.get(place.n) ?? []), tree.subtree()]);
      }
      pages.check(place.n, touched, book.lineOf);
      holds.check(place.n, place.n === projected ? book.ids() : touched, book.lineOf);
      if (place.n === paged?.n && !samePlace(paged, place))
        throw new AuditError(`${shard}:${place.n}`, 'the checkpoint names another block');
      if (place.n === end) for (const id of book.ids()) addTo(sums, book.lineOf(id)?.[2] ?? []);
    };

    for await (const line of opening.accounts()) if (covers(line[0])) book.load(line);
    arrive(opening.place, [...book.ids()]);
    for await (const block of readBlocks(source, shard, opening.place, last)) {
      arrive(block, applyBlock(book, block));
      entries += block.lines.length;
      accounts?.note(block);
      if (!isFirst) continue;
      [report.blocks, report.entries] = [block.n - start, entries];
      runs?.check(block);
      await rows.check(block);
      await records?.check(block);
      progress?.(block.n - start, last - start);
    }
    pages.end(last);
    holds.end();
    await accounts?.end(last, book);
    if (isFirst) {
      await rows.end();
      await records?.end();
      runs?.end();
    }
    for (const [token, sum] of sums) addTo(report.sums, [[token, `${sum}`]]);
  };

  const bad = await faultOf(async () => {
    const snapshots = belongs === undefined ? [] : (await checkSnapshots(source, shard)).filter(({ n }) => n >= start);
    stated = [...heads, ...snapshots.map(({ at, ...one }) => ({ ...one, at: at.toISOString() }))].sort((a, b) => a.n - b.n);
    end = await lastBlock(source, shard, start);
    const beyond = stated.find(({ n }) => n > end);
    if (beyond !== undefined) throw new AuditError(`${shard}:${end + 1}`, 'the block that a signed head or a snapshot names is missing');
    for (const head of heads) {
      const problem = signatureProblem(head, trusted);
      if (problem !== undefined) throw new AuditError(`${shard}:${head.n}`, problem);
    }
    await forEachRange(readRange, (error) => error instanceof TooManyError);
    for (const { n, root } of stated) {
      if (root === undefined || joinSubtrees(parts.get(n) ?? []).toString('hex') === root) continue;
      throw new AuditError(`${shard}:${n}`, 'the balances after this block are not those of the signed head or the snapshot');
    }
    for (const [token, sum] of report.sums) if (sum !== 0n) throw new AuditError(`${shard}:${end}`, `the sum of ${token} is ${sum}`);
  });
  return bad === undefined ? { ...report, heads: heads.length } : { ...report, bad };
};
