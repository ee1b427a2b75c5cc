import type { ServiceCaller, UserCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { Card } from '../domain/card.ts';
import type { CardStore } from '../store/cards.ts';

/**
 * The card of a request: the caller's own, or any for a service.
 * @throws CodedError CARD_NOT_FOUND
 */
export const findOwnCard = async (cards: CardStore, cardId: string, caller: UserCaller | ServiceCaller): Promise<Card> => {
  const card = await cards.find(cardId);
  if (card === undefined || (caller.kind !== 'service' && card.userId !== caller.userId)) throw new CodedError('CARD_NOT_FOUND');
  return card;
};
