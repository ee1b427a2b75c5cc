import { cutFound, findLimitOf } from '@florin/data/paging';
import type { FindCardsRequest } from '@florin/proto/card/v1/card_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/** Returns cards by the end of their numbers. */
export const findCards = ({ cards, runtime }: Dependencies) =>
  serviceMethod(async (request: FindCardsRequest, { caller }) => {
    const { last4 } = request;
    const limit = findLimitOf(request);
    const { rows, hasMore } = cutFound(await cards.findByLast4(last4, limit + 1), limit);
    const now = runtime.now();
    return { cards: rows.map((card) => toWireCard(card, now, caller)), hasMore };
  });
