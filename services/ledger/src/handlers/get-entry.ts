import { EntryService, type GetEntryRequest } from '@florin/proto/ledger/v1/entry_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { accountsOf } from '../domain/apply-entry.ts';
import { decodeEntry } from '../domain/entry.ts';
import type { Dependencies } from './dependencies.ts';
import { shardOfRequest } from './fields.ts';
import { toWireEntry } from './to-wire-entry.ts';

/** An entry of an account, or a system entry. */
export const getEntry = (parts: Dependencies) =>
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
