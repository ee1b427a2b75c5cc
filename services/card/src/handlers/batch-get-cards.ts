import type { BatchGetCardsRequest } from '@florin/proto/card/v1/card_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

export const batchGetCards = ({ cards, runtime }: Dependencies) =>
  serviceMethod(async ({ cardIds }: BatchGetCardsRequest, { caller }) => {
    const found = await Promise.all([...new Set(cardIds)].map((id) => cards.find(id)));
    const now = runtime.now();
    return { cards: found.filter((card) => card !== undefined).map((card) => toWireCard(card, now, caller)) };
  });
