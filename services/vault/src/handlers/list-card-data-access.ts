import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ListCardDataAccessRequest } from '@florin/proto/vault/v1/card_data_service';
import { userMethod } from '@florin/rpc/server';
import type { CardDataAccess } from '../domain/card.ts';
import type { Dependencies } from './dependencies.ts';
import { actionToWire } from './fields.ts';

const toWire = ({ id, cardId, last4, action, wallet = '', thumbprint = '', at }: CardDataAccess) => ({
  id,
  cardId,
  last4,
  action: actionToWire(action),
  wallet,
  thumbprint,
  at: timestampFromDate(at),
});

/** Returns a page of the access log of the caller's cards, newest first. */
export const listCardDataAccess = ({ accesses }: Dependencies) =>
  userMethod(async (request: ListCardDataAccessRequest, { caller }) => {
    const { limit, cursor } = pageOf(request);
    const found = await accesses.page(caller.userId, { limit: limit + 1, before: decodeIdCursor(cursor) });
    const { rows, nextCursor } = cutPage(found, limit, ({ id }) => encodeIdCursor(id));
    return { accesses: rows.map(toWire), page: { nextCursor } };
  });
