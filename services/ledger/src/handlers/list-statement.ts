import { cutPage, pageOf } from '@florin/data/paging';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import type { UserCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import { type Call, userMethod } from '@florin/rpc/server';
import { decodePlace, encodePlace, type LinePlace, statementLines } from '../domain/statement.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';
import { timeRange } from './time-range.ts';
import { toWireLine } from './to-wire-line.ts';

const placeFrom = (cursor: string): LinePlace | undefined => {
  if (cursor === '') return undefined;
  const place = decodePlace(cursor);
  if (place === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: is not one of ours' });
  return place;
};

/** A page of the caller's booked movements, newest first. */
export const listStatement = ({ accounts, assets, shards }: Dependencies) =>
  ownedMethod(
    shards,
    StatementService.method.listStatement,
    userMethod,
    async (request, call: Call<UserCaller>) => {
      const { limit, cursor } = pageOf(request);
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
