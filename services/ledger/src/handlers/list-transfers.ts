import { pageSchema } from '@florin/data/paging';
import { EntryService, type ListTransfersRequest } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { decodeEntry, type Entry } from '../domain/entry.ts';
import { encodeCursor } from '../domain/page-cursor.ts';
import { blockOf, positionOf } from '../domain/position.ts';
import type { Journal } from '../journal/journal.ts';
import { entriesArchived } from '../reading/archived.ts';
import { blockAt } from '../reading/block-at.ts';
import { entriesBackwards, type PlacedEntry } from '../reading/entries-backwards.ts';
import type { Dependencies } from './dependencies.ts';
import { entryOwnerShape, kindsSchema, shardOfRequest } from './fields.ts';
import { positionFrom } from './movement-page.ts';
import { timeRange } from './time-range.ts';
import { placedToWire, toWireKind } from './to-wire-entry.ts';

const requestSchema = z
  .object({
    ...entryOwnerShape,
    page: pageSchema,
    systemAccount: z.string().max(32),
    externalReference: z.string().max(128),
    kinds: kindsSchema,
  })
  .refine(({ accountId, systemAccount }) => (accountId === undefined) !== (systemAccount === ''), {
    path: ['accountId'],
    message: 'exactly one of accountId and systemAccount is required',
  });
type Query = z.output<typeof requestSchema> & { before: number | undefined; from: Date | undefined; to: Date | undefined };

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
  const { limit } = query.page;
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
  const { systemAccount, page, from, to, before } = query;
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
    limit: page.limit,
    budget: BLOCK_BUDGET,
    mayMatch: (line) => line.includes(quoted),
    matches: ({ entry }) => entry.transfers.some(names) && isWanted(query, entry),
  });
  if (!isCut || found.next !== undefined) return found;
  // What is left lies in archive files: the page after this one tells.
  if (found.rows.length === 0) throw entriesArchived(archive);
  return { ...found, next: positionOf(first, 0) };
};

/**
 * Movements of an account's money, newest first.
 * @throws CodedError ACCOUNT_NOT_FOUND, ENTRIES_ARCHIVED, VALIDATION_FAILED
 */
export const listTransfers = (parts: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.readEntries, (request: ListTransfersRequest, call) => {
    const parsed = parseRequest(requestSchema, request);
    const query = { ...parsed, before: positionFrom(parsed.page.cursor), ...timeRange(request) };
    const { accountId, systemAccount } = query;
    if (systemAccount !== '' && !parts.systemAccounts.has(systemAccount)) throw new CodedError('ACCOUNT_NOT_FOUND');
    const shard = shardOfRequest(query, parts.shards);
    return parts.shards.atShard(shard, { rpc: EntryService.method.listTransfers, request, call }, async (journal) => {
      if (accountId !== undefined && (await journal.account(accountId)) === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      const { rows, next } = accountId === undefined ? await ofSystem(parts, journal, query) : await ofUser(journal, accountId, query);
      return {
        entries: rows.map(({ entry, position, at }) => placedToWire(entry, { shard, n: blockOf(position), at })),
        page: { nextCursor: next === undefined ? '' : encodeCursor(next) },
      };
    });
  });
