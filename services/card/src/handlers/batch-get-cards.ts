import type { BatchGetCardsRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { batchIdsSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

const requestSchema = z.object({ cardIds: batchIdsSchema });

/** @throws CodedError VALIDATION_FAILED */
export const batchGetCards = ({ cards, runtime }: Dependencies) =>
  serviceMethod(CARD_SCOPES.readCards, async (request: BatchGetCardsRequest, { caller }) => {
    const { cardIds } = parseRequest(requestSchema, request);
    const found = await Promise.all(cardIds.map((id) => cards.find(id)));
    const now = runtime.now();
    return { cards: found.filter((card) => card !== undefined).map((card) => toWireCard(card, now, caller)) };
  });
