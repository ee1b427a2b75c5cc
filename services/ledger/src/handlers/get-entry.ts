import { EntryService, type GetEntryRequest } from '@florin/proto/ledger/v1/entry_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { accountsOf } from '../domain/apply-entry.ts';
import { decodeEntry } from '../domain/entry.ts';
import type { Dependencies } from './dependencies.ts';
import { findEntry } from './find-entry.ts';
import { toWireEntry } from './to-wire-entry.ts';

const requestSchema = z.object({ accountId: uuidSchema, entryId: z.string().min(1).max(256) });

/**
 * An entry of an account.
 * @throws CodedError ENTRY_NOT_FOUND, VALIDATION_FAILED
 */
export const getEntry = (parts: Dependencies) =>
  serviceMethod('ledger.entries.read', (request: GetEntryRequest, call) => {
    const { accountId, entryId } = parseRequest(requestSchema, request);
    return parts.shards.atOwner(accountId, { rpc: EntryService.method.getEntry, request, call }, async (journal) => {
      const row = await findEntry(parts.entries, journal, entryId);
      if (row === undefined || !accountsOf(decodeEntry(row.line)).includes(accountId)) throw new CodedError('ENTRY_NOT_FOUND');
      return { entry: toWireEntry(row) };
    });
  });
