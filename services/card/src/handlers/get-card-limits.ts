import type { GetCardLimitsRequest } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { readLimits } from './to-wire-spending.ts';

const requestSchema = z.object({ cardId: uuidSchema });

/** Returns the limits of a card with their use. */
export const getCardLimits = (dependencies: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.readCards, async (request: GetCardLimitsRequest, { caller }) => {
    const { cardId } = parseRequest(requestSchema, request);
    return { limits: await readLimits(dependencies, await findOwnCard(dependencies.cards, cardId, caller)) };
  });
