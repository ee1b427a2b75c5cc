import { cutPage, pageSchema } from '@florin/data/paging';
import { EntryService, type ListTransfersRequest } from '@florin/proto/ledger/v1/entry_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { encodeCursor } from '../domain/page-cursor.ts';
import type { Dependencies } from './dependencies.ts';
import { positionFrom } from './movement-page.ts';
import { timeRange } from './time-range.ts';
import { toWireEntry } from './to-wire-entry.ts';

const requestSchema = z.object({ accountId: uuidSchema, page: pageSchema });

/**
 * What moved an account's money, newest first.
 * @throws CodedError ACCOUNT_NOT_FOUND, VALIDATION_FAILED
 */
export const listTransfers = ({ shards, entries }: Dependencies) =>
  serviceMethod('ledger.entries.read', (request: ListTransfersRequest, call) => {
    const { accountId, page } = parseRequest(requestSchema, request);
    const before = positionFrom(page.cursor);
    const range = timeRange(request);
    return shards.atOwner(accountId, { rpc: EntryService.method.listTransfers, request, call }, async (journal) => {
      if ((await journal.account(accountId)) === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
      // What was answered before is shown; only while the engine is troubled does the list lag behind.
      await journal.projected();
      const found = await entries.page(accountId, {
        limit: page.limit + 1,
        before,
        ...range,
      });
      const { rows, nextCursor } = cutPage(found, page.limit, ({ position }) => encodeCursor(position));
      return { entries: rows.map(toWireEntry), page: { nextCursor } };
    });
  });
