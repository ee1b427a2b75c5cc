import { EntryService, type ReverseEntryRequest } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseAmount } from '@florin/rpc/money';
import { parseRequest, processMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { entryOwnerShape, metadataSchema, shardOfRequest } from './fields.ts';
import { findOriginal, reversalPartsOf, reverseInJournal } from './reversals.ts';
import { placedToWire } from './to-wire-entry.ts';

const requestSchema = z.object({
  ...entryOwnerShape,
  entryId: z.string().min(1).max(256),
  reversalId: uuidSchema,
  parts: reversalPartsOf(z.string().transform(parseAmount)),
  forced: z.boolean(),
  metadata: metadataSchema,
});

/** Takes an entry back, in whole or in part. */
export const reverseEntry = (parts: Dependencies) =>
  processMethod(LEDGER_SCOPES.writeEntries, (request: ReverseEntryRequest, call) => {
    const { accountId, shard: _shard, entryId, ...order } = parseRequest(requestSchema, request);
    const shard = shardOfRequest({ accountId, shard: request.shard }, parts.shards);
    return parts.shards.atShard(shard, { rpc: EntryService.method.reverseEntry, request, call }, async (journal) => {
      const { original, reserved } = await findOriginal(parts, journal, { accountId, entryId });
      if (reserved && !call.caller.scopes.has(LEDGER_SCOPES.systemEntries)) {
        throw new CodedError('FORBIDDEN', { message: `scope ${LEDGER_SCOPES.systemEntries} is missing` });
      }
      const { entry, ...place } = await reverseInJournal(journal, original, { ...order, systemAccounts: parts.systemAccounts });
      return { entry: placedToWire(entry, { shard: journal.shard, ...place }) };
    });
  });
