import {
  EntryService,
  type GetEntryRequest,
  type ReverseEntryRequest,
  type WatchEntriesRequest,
} from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseAmount } from '@florin/rpc/money';
import { implement, type ServiceImplementation, serviceMethod, serviceStream } from '@florin/rpc/server';
import { accountsOf } from '../domain/apply-entry.ts';
import { decodeEntry } from '../domain/entry.ts';
import { decodeCursor, encodeCursor } from '../domain/page-cursor.ts';
import { entriesForwards } from '../reading/entries-forwards.ts';
import { createEntries } from './create-entries.ts';
import type { Dependencies } from './dependencies.ts';
import { readMetadata, shardOfRequest } from './fields.ts';
import { listTransfers } from './list-transfers.ts';
import { findOriginal, readParts, reverseInJournal } from './reversals.ts';
import { sumEntries } from './sum-entries.ts';
import { placedToWire, toWireEntry, toWireKind } from './to-wire-entry.ts';

/** Takes an entry back, in whole or in part. */
const reverseEntry = (parts: Dependencies) =>
  serviceMethod((request: ReverseEntryRequest, call) => {
    const { entryId, reversalId, forced } = request;
    const accountId = request.accountId || undefined;
    const amounts = readParts('parts', request.parts).map(({ transfer, amount }) => ({ transfer, amount: parseAmount(amount) }));
    const order = { reversalId, parts: amounts, forced, metadata: readMetadata(request.metadata) };
    const shard = shardOfRequest(request, parts.shards);
    return parts.shards.atShard(shard, { rpc: EntryService.method.reverseEntry, request, call }, async (journal) => {
      const { original, reserved } = await findOriginal(parts, journal, { accountId, entryId });
      if (reserved && !call.caller.scopes.has(LEDGER_SCOPES.systemEntries)) {
        throw new CodedError('FORBIDDEN', { message: `scope ${LEDGER_SCOPES.systemEntries} is missing` });
      }
      const { entry, ...place } = await reverseInJournal(journal, original, { ...order, systemAccounts: parts.systemAccounts });
      return { entry: placedToWire(entry, { shard: journal.shard, ...place }) };
    });
  });

/** An entry of an account, or a system entry. */
const getEntry = (parts: Dependencies) =>
  serviceMethod((request: GetEntryRequest, call) => {
    const { entryId } = request;
    const accountId = request.accountId || undefined;
    const shard = shardOfRequest(request, parts.shards);
    return parts.shards.atShard(shard, { rpc: EntryService.method.getEntry, request, call }, async (journal) => {
      const row = await journal.entry(entryId, accountId === undefined ? [] : [accountId]);
      const accounts = row === undefined ? [] : accountsOf(decodeEntry(row.line));
      const isTheirs = accountId === undefined ? accounts.length === 0 : accounts.includes(accountId);
      if (row === undefined || !isTheirs) throw new CodedError('ENTRY_NOT_FOUND');
      return { entry: toWireEntry(row, journal.shard) };
    });
  });

const POLL_MS = 150;
const HEARTBEAT_MS = 8000;

/** Streams per client, and of all clients together, at one instance. */
const LIMITS = { perClient: 16, total: 256 };

const positionIn = (after: string): number => {
  const position = after === '' ? 0 : decodeCursor(after);
  if (position === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'after: must be a position of an earlier message' });
  return position;
};

/** Entries of a shard as they become durable. */
const watchEntries = ({ blocks, shards, findArchive }: Dependencies) =>
  serviceStream(async function* (request: WatchEntriesRequest, { signal }) {
    const { kinds, shard: named, after, afterBlockHash } = request;
    const shard = shardOfRequest({ shard: named }, shards);
    const batches = entriesForwards(blocks, {
      shard,
      after: { position: positionIn(after), blockHash: afterBlockHash === '' ? undefined : afterBlockHash },
      wanted: ({ kind }) => kinds.length === 0 || kinds.includes(toWireKind(kind)),
      signal,
      pollMs: POLL_MS,
      heartbeatMs: HEARTBEAT_MS,
      findArchive,
    });
    for await (const { entries, place, caughtUp } of batches) {
      yield {
        entries: entries.map(({ entry, n, at }) => placedToWire(entry, { shard, n, at })),
        position: encodeCursor(place.position),
        blockHash: place.blockHash ?? '',
        caughtUp,
        shards: shards.names().length,
      };
    }
  }, LIMITS);

/** Implementation of the contract `EntryService`. */
export const entryService = (dependencies: Dependencies): ServiceImplementation =>
  implement(EntryService, {
    createEntries: createEntries(dependencies),
    reverseEntry: reverseEntry(dependencies),
    getEntry: getEntry(dependencies),
    listTransfers: listTransfers(dependencies),
    sumEntries: sumEntries(dependencies),
    watchEntries: watchEntries(dependencies),
  });
