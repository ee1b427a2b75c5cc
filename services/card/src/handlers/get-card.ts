import type { GetCardRequest } from '@florin/proto/card/v1/card_service';
import { userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { toWireCard } from './to-wire.ts';
import { readLimits } from './to-wire-spending.ts';

/**
 * Returns a card: the caller's own to a user, with its limits, any to a platform service. The 3DS service reads the card for every decision, so its
 * call costs no second read.
 */
export const getCard = (dependencies: Dependencies) => {
  const { cards, runtime } = dependencies;
  return userOrServiceMethod(async (request: GetCardRequest, { caller }) => {
    const { cardId } = request;
    const card = await findOwnCard(cards, cardId, caller);
    if (caller.kind === 'service') return { card: toWireCard(card, runtime.now(), caller) };
    return { card: toWireCard(card, runtime.now(), caller, await readLimits(dependencies, card)) };
  });
};
