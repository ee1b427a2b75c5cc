import { cutPage, pageSchema } from '@florin/data/paging';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { decodePlace, encodePlace, type LinePlace, statementLines } from '../domain/statement.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { forUsers, ownedMethod } from './owned-method.ts';
import { timeRange } from './time-range.ts';
import { toWireLine } from './to-wire-line.ts';

const requestSchema = z.object({ page: pageSchema });

const placeFrom = (cursor: string): LinePlace | undefined => {
  if (cursor === '') return undefined;
  const place = decodePlace(cursor);
  if (place === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: is not one of ours' });
  return place;
};

/**
 * A page of the caller's booked movements, newest first.
 * @throws CodedError ACCOUNT_NOT_FOUND, VALIDATION_FAILED
 */
export const listStatement = ({ accounts, assets, shards }: Dependencies) =>
  ownedMethod(
    shards,
    StatementService.method.listStatement,
    forUsers(),
    async (request, call) => {
      const { limit, cursor } = parseRequest(requestSchema, request).page;
      const place = placeFrom(cursor);
      const { id: accountId } = requireAccount(await accounts.findByUser(call.caller.userId));
      return { accountId, limit, place, ...timeRange(request) };
    },
    async ({ accountId, limit, place, from, to }, journal) => {
      const rows = await journal.entries(accountId, {
        // Each has a line at least. The entry that the page before ended in may have been shown in full.
        limit: limit + 2,
        booked: true,
        before: place && place.position + 1,
        from,
        to,
      });
      const found = rows
        .flatMap((row) => statementLines(row, accountId, assets))
        .filter((line) => place === undefined || line.place.position < place.position || line.place.line > place.line);
      const page = cutPage(found, limit, (line) => encodePlace(line.place));
      return { lines: page.rows.map(toWireLine), page: { nextCursor: page.nextCursor } };
    },
  );
