import type { GetCardLimitsRequest } from '@florin/proto/card/v1/payment_service';
import { userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { readLimits } from './to-wire-spending.ts';

/** Returns the limits of a card with their use. */
export const getCardLimits = (dependencies: Dependencies) =>
  userOrServiceMethod(async (request: GetCardLimitsRequest, { caller }) => {
    const { cardId } = request;
    return { limits: await readLimits(dependencies, await findOwnCard(dependencies.cards, cardId, caller)) };
  });
