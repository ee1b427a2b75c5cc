import { cutFound, findLimitSchema } from '@florin/data/paging';
import type { FindCardsRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

const requestSchema = z.object({
  last4: z.string().regex(/^[0-9]{4}$/, 'must be four digits'),
  limit: findLimitSchema,
});

/** Returns cards by the end of their numbers. @throws CodedError VALIDATION_FAILED */
export const findCards = ({ cards, runtime }: Dependencies) =>
  serviceMethod(CARD_SCOPES.readCards, async (request: FindCardsRequest, { caller }) => {
    const { last4, limit } = parseRequest(requestSchema, request);
    const { rows, hasMore } = cutFound(await cards.findByLast4(last4, limit + 1), limit);
    const now = runtime.now();
    return { cards: rows.map((card) => toWireCard(card, now, caller)), hasMore };
  });
