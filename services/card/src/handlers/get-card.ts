import type { GetCardRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { toWireCard } from './to-wire.ts';
import { readLimits } from './to-wire-spending.ts';

const requestSchema = z.object({ cardId: uuidSchema });

/**
 * Returns a card: the caller's own to a user, with its limits, any to a platform service. The 3DS service reads the card for every decision, so its
 * call costs no second read.
 * @throws CodedError VALIDATION_FAILED, CARD_NOT_FOUND
 */
export const getCard = (dependencies: Dependencies) => {
  const { cards, runtime } = dependencies;
  return userOrServiceMethod(CARD_SCOPES.readCards, async (request: GetCardRequest, { caller }) => {
    const { cardId } = parseRequest(requestSchema, request);
    const card = await findOwnCard(cards, cardId, caller);
    if (caller.kind === 'service') return { card: toWireCard(card, runtime.now(), caller) };
    return { card: toWireCard(card, runtime.now(), caller, await readLimits(dependencies, card)) };
  });
};
