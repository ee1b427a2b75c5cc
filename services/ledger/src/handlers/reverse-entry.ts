import { EntryService, type ReverseEntryRequest } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { parseAmount } from '@florin/rpc/money';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { readMetadata, shardOfRequest } from './fields.ts';
import { findOriginal, readParts, reverseInJournal } from './reversals.ts';
import { placedToWire } from './to-wire-entry.ts';

/** Takes an entry back, in whole or in part. */
export const reverseEntry = (parts: Dependencies) =>
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
