import type { FindCardsRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

const DEFAULT_LIMIT = 20;

const requestSchema = z.object({
  last4: z.string().regex(/^[0-9]{4}$/, 'must be four digits'),
  limit: z.int().min(0).max(100),
});

/** Returns cards by the end of their numbers. @throws CodedError VALIDATION_FAILED */
export const findCards = ({ cards, runtime }: Dependencies) =>
  serviceMethod(CARD_SCOPES.readCards, async (request: FindCardsRequest, { caller }) => {
    const { last4, limit } = parseRequest(requestSchema, request);
    const most = limit === 0 ? DEFAULT_LIMIT : limit;
    const found = await cards.findByLast4(last4, most + 1);
    const now = runtime.now();
    return { cards: found.slice(0, most).map((card) => toWireCard(card, now, caller)), hasMore: found.length > most };
  });
