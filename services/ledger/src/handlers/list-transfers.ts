import { pageOf } from '@florin/data/paging';
import { EntryService, type ListTransfersRequest } from '@florin/proto/ledger/v1/entry_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { decodeEntry, type Entry } from '../domain/entry.ts';
import { encodeCursor } from '../domain/page-cursor.ts';
import { blockOf, positionOf } from '../domain/position.ts';
import type { Journal } from '../journal/journal.ts';
import { entriesArchived } from '../reading/archived.ts';
import { blockAt } from '../reading/block-at.ts';
import { entriesBackwards, type PlacedEntry } from '../reading/entries-backwards.ts';
import type { Dependencies } from './dependencies.ts';
import { ONE_ACCOUNT, shardOfRequest } from './fields.ts';
import { positionFrom } from './movement-page.ts';
import { timeRange } from './time-range.ts';
import { placedToWire, toWireKind } from './to-wire-entry.ts';

/** A request for a page, read. */
type Query = Pick<ListTransfersRequest, 'systemAccount' | 'externalReference' | 'kinds'> & {
  limit: number;
  before: number | undefined;
  from: Date | undefined;
  to: Date | undefined;
};

/** Entries that one call looks at when it filters. */
const BUDGET = 2000;
/** The same in the journal itself, where most of them need no decoding. */
const BLOCK_BUDGET = 40_000;
const ROWS_PER_READ = 200;

type Found = { rows: PlacedEntry[]; next: number | undefined };

const isWanted = ({ kinds, externalReference }: Query, { kind, data }: Entry): boolean =>
  (kinds.length === 0 || kinds.includes(toWireKind(kind))) && (externalReference === '' || data['externalReference'] === externalReference);

/** Of a user account: as far as the filter and the budget go. */
const ofUser = async (journal: Journal, accountId: string, query: Query): Promise<Found> => {
  const { limit } = query;
  const filtered = query.kinds.length > 0 || query.externalReference !== '';
  const rows: PlacedEntry[] = [];
  let { before } = query;
  for (let looked = 0; looked < BUDGET; ) {
    const size = filtered ? ROWS_PER_READ : limit + 1;
    const read = await journal.entries(accountId, { limit: size, before, from: query.from, to: query.to });
    for (const row of read) {
      const entry = decodeEntry(row.line);
      if (isWanted(query, entry)) rows.push({ entry, position: row.position, at: row.at });
      if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]?.position };
      before = row.position;
    }
    if (read.length < size) return { rows, next: undefined };
    looked += read.length;
  }
  return { rows, next: before };
};

/** Of a system account, which takes part in nearly every entry: from the journal itself. */
const ofSystem = async ({ blocks, findArchive, runtime }: Dependencies, journal: Journal, query: Query): Promise<Found> => {
  const { systemAccount, limit, from, to, before } = query;
  const { shard } = journal;
  const archive = await findArchive(shard);
  /** True if entries that were asked for are in archive files. */
  const isCut = archive !== undefined && (from === undefined || from <= archive.at);
  const end = to === undefined || to > runtime.now() ? journal.tail().n : await blockAt(blocks, shard, new Date(to.getTime() - 1));
  const first = (archive?.n ?? 0) + 1;
  const start = from === undefined || isCut ? first : (await blockAt(blocks, shard, new Date(from.getTime() - 1))) + 1;
  const quoted = JSON.stringify(systemAccount);
  const names = ({ debit, credit }: { debit: string; credit: string }): boolean => debit === systemAccount || credit === systemAccount;
  const found = await entriesBackwards(blocks, {
    shard,
    before: Math.min(before ?? Number.MAX_SAFE_INTEGER, positionOf(end + 1, 0)),
    until: start,
    limit,
    budget: BLOCK_BUDGET,
    mayMatch: (line) => line.includes(quoted),
    matches: ({ entry }) => entry.transfers.some(names) && isWanted(query, entry),
  });
  if (!isCut || found.next !== undefined) return found;
  // The rest lies in archive files: the page after this one tells.
  if (found.rows.length === 0) throw entriesArchived(archive);
  return { ...found, next: positionOf(first, 0) };
};

/** Movements of an account's money, newest first. */
export const listTransfers = (parts: Dependencies) =>
  serviceMethod((request: ListTransfersRequest, call) => {
    const { systemAccount, externalReference, kinds } = request;
    const accountId = request.accountId || undefined;
    requireFields({ account_id: (accountId === undefined) === (systemAccount === '') ? ONE_ACCOUNT : undefined });
    const { limit, cursor } = pageOf(request);
    const query: Query = { systemAccount, externalReference, kinds, limit, before: positionFrom(cursor), ...timeRange(request) };
    if (systemAccount !== '' && !parts.systemAccounts.has(systemAccount)) throw new CodedError('ACCOUNT_NOT_FOUND');
    const shard = shardOfRequest(request, parts.shards);
    return parts.shards.atShard(shard, { rpc: EntryService.method.listTransfers, request, call }, async (journal) => {
      if (accountId !== undefined && (await journal.account(accountId)) === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      const { rows, next } = accountId === undefined ? await ofSystem(parts, journal, query) : await ofUser(journal, accountId, query);
      return {
        entries: rows.map(({ entry, position, at }) => placedToWire(entry, { shard, n: blockOf(position), at })),
        page: { nextCursor: next === undefined ? '' : encodeCursor(next) },
      };
    });
  });
