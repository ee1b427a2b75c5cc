import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ListCardsRequest } from '@florin/proto/card/v1/card_service';
import { userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import type { Card } from '../domain/card.ts';
import type { Dependencies } from './dependencies.ts';
import { statusFromWire, toWireCard } from './to-wire.ts';
import { readLimits } from './to-wire-spending.ts';

/** Returns a page of a user's cards, newest first. Cards added later never shift the pages after a cursor. */
export const listCards = (dependencies: Dependencies) => {
  const { cards, runtime } = dependencies;
  return userOrServiceMethod(async (request: ListCardsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const now = runtime.now();
    const { limit, cursor } = pageOf(request);
    const query = { limit: limit + 1, before: decodeIdCursor(cursor), status: statusFromWire(request.status), now };
    const { rows, nextCursor } = cutPage(await cards.page(userId, query), limit, ({ id }) => encodeIdCursor(id));
    const withLimits = async (card: Card) => toWireCard(card, now, caller, await readLimits(dependencies, card));
    return { cards: await Promise.all(rows.map(withLimits)), page: { nextCursor } };
  });
};
