import { EntryService, type GetEntryRequest } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { accountsOf } from '../domain/apply-entry.ts';
import { decodeEntry } from '../domain/entry.ts';
import type { Dependencies } from './dependencies.ts';
import { entryOwnerShape, shardOfRequest } from './fields.ts';
import { toWireEntry } from './to-wire-entry.ts';

const requestSchema = z.object({ ...entryOwnerShape, entryId: z.string().min(1).max(256) });

/**
 * An entry of an account, or a system entry.
 * @throws CodedError ENTRY_NOT_FOUND, VALIDATION_FAILED
 */
export const getEntry = (parts: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.readEntries, (request: GetEntryRequest, call) => {
    const { accountId, entryId, shard: named } = parseRequest(requestSchema, request);
    const shard = shardOfRequest({ accountId, shard: named }, parts.shards);
    return parts.shards.atShard(shard, { rpc: EntryService.method.getEntry, request, call }, async (journal) => {
      const row = await journal.entry(entryId, accountId === undefined ? [] : [accountId]);
      const accounts = row === undefined ? [] : accountsOf(decodeEntry(row.line));
      const isTheirs = accountId === undefined ? accounts.length === 0 : accounts.includes(accountId);
      if (row === undefined || !isTheirs) throw new CodedError('ENTRY_NOT_FOUND');
      return { entry: toWireEntry(row, journal.shard) };
    });
  });
